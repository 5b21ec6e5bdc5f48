import { Link, Outlet } from "@tanstack/react-router";
import { Page, PageTitle } from "@/components/Page";

const pages = [
  { to: "/settings/general", label: "General" },
  { to: "/settings/providers", label: "Providers" },
  { to: "/settings/models", label: "Models and money" },
  { to: "/settings/status", label: "Status" },
] as const;

/** The pages of the settings beside their list. */
export function SettingsLayout() {
  return (
    <Page title={<PageTitle>Settings</PageTitle>}>
      <div className="flex min-h-0 grow max-wide:flex-col">
        <nav
          aria-label="Settings pages"
          className="w-48 shrink-0 px-4.5 pt-4 text-small max-wide:w-auto max-wide:pt-0"
        >
          <ul className="grid gap-0.5 max-wide:flex max-wide:flex-wrap">
            {pages.map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeProps={{ className: "bg-press font-mid text-ink", "aria-current": "page" }}
                  inactiveProps={{ className: "text-ink-2 hover:bg-hover" }}
                  className="flex min-h-8 items-center rounded-s px-2 no-underline"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grow overflow-y-auto">
          <div className="w-full max-w-140 px-8 pt-4 pb-14">
            <Outlet />
          </div>
        </div>
      </div>
    </Page>
  );
}
