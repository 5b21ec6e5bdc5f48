import { Link } from "@tanstack/react-router";
import { PanelLeft, Search, Settings2, SquarePen } from "lucide-react";
import { IconButton } from "@/components/IconButton";
import { Kbd } from "@/components/Kbd";
import { Mark } from "@/components/Mark";
import { goTo } from "@/lib/navigation";
import { keyLabel } from "@/lib/platformKeys";
import { useSessions, useSettings } from "@/state/queries";
import { HealthLine } from "./HealthLine";
import { SessionList } from "./SessionList";

type Props = {
  /** The chat on screen. */
  shown: string | null;
  onHide: () => void;
  onPalette: () => void;
  /** A place was chosen. */
  onGo: () => void;
};

export function Sidebar({ shown, onHide, onPalette, onGo }: Props) {
  const name = useSettings().data?.assistantName ?? "Namma";
  const waiting = useSessions().data?.some((session) => session.waiting) ?? false;

  return (
    <nav
      aria-label="Chats and places"
      data-region="nav"
      tabIndex={-1}
      className="flex w-(--sidebar-w) shrink-0 flex-col bg-canvas px-3 text-small outline-none max-narrow:absolute max-narrow:inset-y-0 max-narrow:start-0 max-narrow:z-(--z-menu) max-narrow:shadow-3"
    >
      <div className="flex h-(--bar-h) shrink-0 items-center gap-2.25 ps-1.5">
        <Mark turn={waiting} />
        <span className="grow truncate text-base font-strong">{name}</span>
        <IconButton
          label="Hide sidebar"
          keys={keyLabel("Ctrl+B")}
          onClick={onHide}
          icon={<PanelLeft aria-hidden="true" className="size-4" />}
        />
      </div>
      <button
        type="button"
        onClick={() => {
          goTo({ to: "new" });
          onGo();
        }}
        className="flex h-9 shrink-0 items-center gap-2.5 rounded-m border border-line bg-raised px-2 text-start font-mid text-ink shadow-1 hover:bg-hover"
      >
        <SquarePen aria-hidden="true" className="size-4 text-ink-3" />
        <span className="grow">New chat</span>
        <Kbd>{keyLabel("Ctrl+N")}</Kbd>
      </button>
      <button
        type="button"
        onClick={onPalette}
        className="mt-1 flex h-8 shrink-0 items-center gap-2.5 rounded-s px-2 text-start text-ink-2 hover:bg-hover"
      >
        <Search aria-hidden="true" className="size-4 text-ink-3" />
        <span className="grow">Search or run a command</span>
        <Kbd>{keyLabel("Ctrl+K")}</Kbd>
      </button>
      <div className="-mx-1 min-h-0 grow overflow-y-auto px-1 pb-6">
        <SessionList shown={shown} onGo={onGo} />
      </div>
      <div className="flex h-12 shrink-0 items-center gap-1">
        <HealthLine onGo={onGo} />
        <Link
          to="/settings/general"
          aria-label="Settings"
          onClick={onGo}
          className="grid size-8 shrink-0 place-items-center rounded-m text-ink-3 hover:bg-hover hover:text-ink"
        >
          <Settings2 aria-hidden="true" className="size-4" />
        </Link>
      </div>
    </nav>
  );
}
