/** The inbox: what is open, the most pressing first. */
import type { FC } from "hono/jsx";

import { type ItemKind, ITEM_KINDS } from "../../core/inbox/model.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import type { InboxPage } from "../../services/inbox.ts";
import type { ItemStatus } from "../../services/inbox.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { may, pathOf } from "../session/context.ts";
import { Empty, Heading, Moment, Notice, Pager } from "../components/elements.tsx";
import { type Deed, type InboxFilter, inboxPath } from "./inbox-filter.ts";
import { DoneNotice } from "./item-actions.tsx";
import { ItemCard } from "./item-card.tsx";
import { KIND_NAMES, STATUS_NAMES } from "./item-words.ts";

interface InboxViewProps {
  workspace: OpenWorkspace;
  filter: InboxFilter;
  page: InboxPage;
  nextCursor: string | null;
  /** What was just done to the item that the page notes. */
  done: Deed | undefined;
  /** What of the request could not be used. */
  fault: string | undefined;
  now: number;
}

export const InboxView: FC<InboxViewProps> = ({ workspace, filter, page, nextCursor, done, fault, now }) => {
  const { items, noted, judgedAt } = page;
  const mayMark = may(workspace, "inbox");
  return (
    <>
      <Heading
        title="Inbox"
        lead={
          <>
            Who needs a call, and why: ranked by severity, deadline, confidence and MRR.
            {judgedAt !== null && (
              <>
                {" "}
                Judged <Moment at={judgedAt} now={now} />.
              </>
            )}
          </>
        }
      />
      {fault !== undefined && (
        <Notice tone="bad" role="alert">
          {fault}
        </Notice>
      )}
      {done !== undefined && noted !== null && <DoneNotice {...{ workspace, filter, done, now }} listed={noted} />}
      <Filters {...{ workspace, filter }} counts={page.counts} />
      {items.length === 0 && <NothingHere {...{ workspace, filter }} isJudged={judgedAt !== null} />}
      <ol class="items">
        {items.map((listed) => (
          <li>
            <ItemCard {...{ workspace, listed, filter, mayMark, now }} />
          </li>
        ))}
      </ol>
      <Pager
        next={nextCursor === null ? null : inboxPath(workspace, { ...filter, cursor: nextCursor })}
        first={filter.cursor === undefined ? null : inboxPath(workspace, { ...filter, cursor: undefined })}
      />
    </>
  );
};

type FiltersProps = Pick<InboxViewProps, "workspace" | "filter"> & Pick<InboxPage, "counts">;

const Filters: FC<FiltersProps> = ({ workspace, filter, counts }) => (
  <div class="inbox-filters">
    <nav class="segments" aria-label="Status">
      {typedKeys(STATUS_NAMES).map((status) => (
        <a
          href={inboxPath(workspace, { status, kind: filter.kind })}
          aria-current={status === filter.status ? "page" : undefined}
        >
          {STATUS_NAMES[status]}
          {status !== "resolved" && <span class="count">{countOf(counts, status, filter.kind)}</span>}
        </a>
      ))}
    </nav>
    <form method="get" action={pathOf(workspace, "inbox")}>
      <input type="hidden" name="status" value={filter.status} />
      <label for="kind">Kind</label>
      <select id="kind" name="kind">
        <option value="">All kinds</option>
        {ITEM_KINDS.map((kind) => (
          <option value={kind} selected={kind === filter.kind}>
            {KIND_NAMES[kind]}
            {filter.status !== "resolved" && ` (${countOf(counts, filter.status, kind)})`}
          </option>
        ))}
      </select>
      <button type="submit">Show</button>
    </form>
  </div>
);

function countOf(
  counts: InboxPage["counts"],
  status: Exclude<ItemStatus, "resolved">,
  kind: ItemKind | undefined,
): number {
  return counts.reduce((sum, one) => (kind === undefined || kind === one.kind ? sum + one[status] : sum), 0);
}

type NothingProps = Pick<InboxViewProps, "workspace" | "filter"> & { isJudged: boolean };

const NothingHere: FC<NothingProps> = ({ workspace, filter: { status, kind, cursor }, isJudged }) => {
  if (cursor !== undefined)
    return <Empty title="That was the last of them">Nothing comes behind the page before.</Empty>;
  if (kind !== undefined) {
    return (
      <Empty title={`Nothing ${STATUS_NAMES[status].toLowerCase()} of the kind “${KIND_NAMES[kind]}”`}>
        <a href={inboxPath(workspace, { status })}>Show all kinds</a>
      </Empty>
    );
  }
  if (!isJudged) {
    return (
      <Empty title="Nobody has been judged yet">
        <p>
          Accounts are judged by whole days in UTC, within minutes of midnight, and who needs a call is told here. Until
          then <a href={pathOf(workspace, "start")}>send some events</a>, or see them come in{" "}
          <a href={pathOf(workspace, "live")}>live</a>.
        </p>
      </Empty>
    );
  }
  if (status === "open") {
    return (
      <Empty title="Nobody needs a call right now">
        <p>
          All accounts have been looked at, and nothing is open. Until something is, see{" "}
          <a href={pathOf(workspace, "accounts")}>how they are doing</a>.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title={NOTHING[status]}>
      <a href={inboxPath(workspace, { status: "open" })}>Show what is open</a>
    </Empty>
  );
};

const NOTHING = {
  snoozed: "Nothing is snoozed",
  dismissed: "Nothing was dismissed",
  resolved: "Nothing was resolved yet",
} as const;
