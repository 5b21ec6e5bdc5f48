import { useQueries } from "@tanstack/react-query";
import { type FilterGroup, FilterList } from "@/components/FilterList";
import { describeError } from "@/lib/describeError";
import { goTo } from "@/lib/navigation";
import { toApiError } from "@/platform/apiError";
import { usePlatform } from "@/platform/context";
import type { ConnectionView, ModelList } from "@/protocol/bindings";
import { readChoice } from "@/state";
import { queries, useConnections, useProviderStatus } from "@/state/queries";

type Props = {
  chosen: string | null;
  onChoose: (chosen: string | null) => void;
  /** The person goes elsewhere from here. */
  onLeave: () => void;
};

/** No connection can have this name. */
const AS_IN_SETTINGS = "";

/** All connections with their models. A connection that cannot be asked still offers its own model. */
export function ModelChoices({ chosen, onChoose, onLeave }: Props) {
  const platform = usePlatform();
  const connections = useConnections().data ?? [];
  const status = useProviderStatus().data;
  const asked = useQueries({ queries: connections.map(({ name }) => queries.models(platform, name)) });
  const meant = chosen === null ? null : readChoice(chosen, connections);
  const value = meant?.connection ? `${meant.connection.name}/${meant.model}` : (chosen ?? AS_IN_SETTINGS);
  const groups: FilterGroup[] = [
    {
      id: AS_IN_SETTINGS,
      label: "For this chat",
      options: [
        {
          value: AS_IN_SETTINGS,
          label: "As in Settings",
          ...(status?.model ? { detail: status.model } : {}),
        },
      ],
    },
    ...connections.map((connection, index) => groupOf(connection, asked[index])),
  ];

  return (
    <>
      <FilterList
        label="Model of this chat"
        groups={groups}
        value={value}
        onChoose={(next) => onChoose(next === AS_IN_SETTINGS ? null : next)}
      />
      <button
        type="button"
        onClick={() => {
          onLeave();
          goTo({ to: "settings", page: "providers" });
        }}
        className="min-h-9 shrink-0 border-t border-line px-3 text-start text-ink-2 hover:bg-hover hover:text-ink focus-visible:-outline-offset-2"
      >
        Providers in Settings…
      </button>
    </>
  );
}

type Asked = {
  readonly data: ModelList | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
};

function groupOf(connection: ConnectionView, asked: Asked | undefined): FilterGroup {
  const { name, label, model, local } = connection;
  const models = [...new Set([model, ...(asked?.data?.models ?? [])])].filter((offered) => offered !== "");
  return {
    id: name,
    label: [
      name === label.toLowerCase() ? label : `${label} (${name})`,
      ...(local ? ["on this computer"] : []),
    ].join(", "),
    note: noteOf(connection, asked),
    options: models.map((offered) => ({ value: `${name}/${offered}`, label: offered })),
  };
}

function noteOf({ label, model }: ConnectionView, asked: Asked | undefined): string | null {
  if (asked?.isPending) return "Asking what it offers…";
  if (asked?.error) return describeError(toApiError(asked.error), { provider: label, model }).title;
  return asked?.data?.isFallback ? "The server did not say what it offers; these are known models." : null;
}
