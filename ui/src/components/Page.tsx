import { createContext, type ReactNode, useContext } from "react";

type Chrome = {
  /** Stands before the title: opens the sidebar when it is closed. */
  readonly lead: ReactNode;
  /** Lines under the top strip about the whole app. */
  readonly strips: ReactNode;
};

const ChromeContext = createContext<Chrome>({ lead: null, strips: null });

/** What the frame adds to each page. */
export const PageChrome = ChromeContext.Provider;

type Props = {
  title: ReactNode;
  /** Stand at the end of the top strip. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A view: top strip with its title, the lines of the app, the content. */
export function Page({ title, actions, children }: Props) {
  const { lead, strips } = useContext(ChromeContext);
  return (
    <>
      <header className="flex h-(--bar-h) shrink-0 items-center gap-1 ps-4.5 pe-2 text-small">
        {lead}
        <div className="min-w-0 grow truncate">{title}</div>
        {actions}
      </header>
      {strips}
      <div className="flex min-h-0 grow flex-col">{children}</div>
    </>
  );
}

/** The title of a page in the top strip; the heading of the view. */
export function PageTitle({ children }: { children: ReactNode }) {
  return (
    <h1 dir="auto" className="truncate font-mid text-ink">
      {children}
    </h1>
  );
}
