/** The search and the filters of the log, and their addresses. */
import type { FC } from "hono/jsx";

import { typedKeys } from "../../core/typed-keys.ts";
import type { LogKind } from "../../db/events/message-log.ts";
import type { TrafficSpan } from "../../db/events/traffic.ts";
import { Field } from "../forms/fields.tsx";
import { pathOf, withQuery } from "../paths.ts";

export const MAX_SEARCH_CHARACTERS = 256;

export interface LiveFilter {
  /** The search; empty without one. It is never part of an address. */
  q: string;
  span: TrafficSpan;
  show: LogKind;
}

const KIND_NAMES: Record<LogKind, string> = { all: "All", stored: "Stored", rejected: "Rejected" };

/** The address of the newest page, without its search. */
export const livePath = (workspace: { id: string }, { span, show }: Omit<LiveFilter, "q">): string =>
  withQuery(pathOf(workspace, "live"), { span, show }, { span: "hour", show: "all" });

interface LiveSearchProps {
  workspace: { id: string };
  filter: LiveFilter;
}

/** @param isLive whether new messages appear by themselves */
export const LiveSearch: FC<LiveSearchProps & { isLive: boolean }> = ({ workspace, filter, isLive }) => (
  <div class="row split">
    <search class="grow">
      <form class="row" method="post" action={pathOf(workspace, "live")}>
        <input type="hidden" name="span" value={filter.span} />
        <Field
          label="Search"
          name="q"
          type="search"
          maxlength={MAX_SEARCH_CHARACTERS}
          value={filter.q}
          placeholder="Message id, event, account id or user id"
          grow
        />
        <button name="show" value={filter.show} type="submit">
          Search
        </button>
        {filter.q !== "" && (
          <a class="button" href={livePath(workspace, filter)}>
            Clear
          </a>
        )}
      </form>
    </search>
    <nav class="cluster spans" aria-label="Kind of messages">
      {typedKeys(KIND_NAMES).map((show) => (
        <KindLink {...{ workspace, filter, show }} />
      ))}
    </nav>
    {filter.q === "" &&
      (isLive ? (
        // Holds the page at its position, which is in the form of the log.
        <button id="pause" type="submit" form="log-form">
          Pause
        </button>
      ) : (
        <a id="pause" class="button primary" href={livePath(workspace, filter)}>
          Resume
        </a>
      ))}
  </div>
);

/** A search stays when the filter changes, so the buttons of a search send it. */
const KindLink: FC<LiveSearchProps & { show: LogKind }> = ({ workspace, filter, show }) =>
  filter.q === "" ? (
    <a class="button" href={livePath(workspace, { ...filter, show })} aria-current={isCurrent(filter, show)}>
      {KIND_NAMES[show]}
    </a>
  ) : (
    <form method="post" action={pathOf(workspace, "live")}>
      <input type="hidden" name="q" value={filter.q} />
      <input type="hidden" name="span" value={filter.span} />
      <button name="show" value={show} aria-current={isCurrent(filter, show)}>
        {KIND_NAMES[show]}
      </button>
    </form>
  );

const isCurrent = (filter: LiveFilter, show: LogKind): "true" | undefined =>
  filter.show === show ? "true" : undefined;
