import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { EmptyState } from "@/components/EmptyState";
import { inputClass } from "@/components/Field";
import { InlineError } from "@/components/InlineError";
import { Page, PageTitle } from "@/components/Page";
import { Skeleton } from "@/components/Skeleton";
import { classes } from "@/lib/classes";
import { describeError } from "@/lib/describeError";
import { isImeKey } from "@/lib/ime";
import { goTo } from "@/lib/navigation";
import { useSettled } from "@/lib/useSettled";
import { toApiError } from "@/platform/apiError";
import { usePlatform } from "@/platform/context";
import { queries } from "@/state/queries";
import { HitRow } from "./HitRow";

type Props = { query: string };

/** Full text of all chats. The query is in the address, so it can be gone back to. */
export function SearchPage({ query }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const settled = useSettled(query, 120);
  const { data, error, isPending } = useQuery({
    ...queries.search(usePlatform(), settled),
    placeholderData: keepPreviousData,
  });

  useEffect(() => input.current?.focus(), []);

  return (
    <Page title={<PageTitle>Search</PageTitle>}>
      <div className="overflow-y-auto">
        <div className="mx-auto grid w-full max-w-measure gap-5 px-8 pt-4 pb-14">
          <search className="relative grid items-center">
            <Search aria-hidden="true" className="absolute start-3 size-4 text-ink-3" />
            <input
              ref={input}
              type="search"
              aria-label="Search all chats"
              placeholder="Search all chats"
              dir="auto"
              value={query}
              onChange={(event) => goTo({ to: "search", query: event.target.value })}
              onKeyDown={(event) => {
                if (isImeKey(event.nativeEvent)) event.stopPropagation();
              }}
              className={classes(inputClass, "h-10 ps-9.5 [&::-webkit-search-cancel-button]:appearance-none")}
            />
          </search>
          {query.trim() === "" ? (
            <EmptyState title="Find anything that was said">
              Questions, answers and what the steps found, in all chats on this computer.
            </EmptyState>
          ) : error ? (
            <InlineError words={describeError(toApiError(error))} />
          ) : isPending ? (
            <Skeleton label="Searching" />
          ) : data.length === 0 ? (
            <EmptyState title={`Nothing for “${query.trim()}”`}>
              Try fewer words, or another way of saying it.
            </EmptyState>
          ) : (
            <>
              <p role="status" className="text-small text-ink-3">
                {data.length} {data.length === 1 ? "place" : "places"}
              </p>
              <ol aria-label="Found" className="grid gap-1">
                {data.map((hit) => (
                  <HitRow key={hit.messageId} hit={hit} query={settled} />
                ))}
              </ol>
            </>
          )}
        </div>
      </div>
    </Page>
  );
}
