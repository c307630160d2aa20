/** The inbox: items about accounts to contact, most urgent first. */
import { sum } from "d3-array";
import type { FC } from "hono/jsx";

import { KIND_NAMES } from "../../core/inbox/kind-names.ts";
import { type ItemKind, ITEM_KINDS, ITEM_STATUSES, type ItemStatus } from "../../core/inbox/model.ts";
import type { InboxPage } from "../../db/inbox/list-items.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { pathOf } from "../paths.ts";
import { SCORING_TIME } from "../accounts/labels.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { Empty, Heading, Moment, Pager } from "../components/elements.tsx";
import { Select } from "../forms/fields.tsx";
import { type InboxFilter, inboxPath } from "./inbox-filter.ts";
import { ActionNotice } from "./item-actions.tsx";
import { ItemCard } from "./item-card.tsx";

interface InboxViewProps {
  workspace: OpenWorkspace;
  filter: InboxFilter;
  page: InboxPage;
  nextCursor: string | null;
}

export const InboxView: FC<InboxViewProps> = ({ workspace, filter, page, nextCursor }) => {
  const { items, selected, updatedAt } = page;
  const canChange = hasScope(workspace, "inbox");
  return (
    <>
      <Heading
        title="Inbox"
        lead={
          <>
            Accounts to contact, most urgent first.
            {updatedAt !== null && (
              <>
                {" "}
                Updated <Moment at={updatedAt} />.
              </>
            )}
          </>
        }
      />
      {selected !== null && <ActionNotice {...{ workspace, filter }} item={selected} />}
      <Filters {...{ workspace, filter }} counts={page.counts} />
      {items.length === 0 && <EmptyInbox {...{ workspace, filter }} hasScores={updatedAt !== null} />}
      <ol class="column">
        {items.map((item) => (
          <li>
            <ItemCard {...{ workspace, item, filter, canChange }} />
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
  <div class="cluster split">
    <nav class="segments" aria-label="Status">
      {ITEM_STATUSES.map((status) => (
        <a
          href={inboxPath(workspace, { status, kind: filter.kind })}
          aria-current={status === filter.status ? "page" : undefined}
        >
          {labelOf(status)}
          {status !== "resolved" && <span class="note"> {countOf(counts, status, filter.kind)}</span>}
        </a>
      ))}
    </nav>
    <form class="cluster" method="get" action={pathOf(workspace, "inbox")}>
      <input type="hidden" name="status" value={filter.status} />
      <Select
        label="Kind"
        name="kind"
        labelPlace="beside"
        selected={filter.kind}
        options={[
          ["", "All kinds"],
          ...ITEM_KINDS.map((kind) => {
            const count = filter.status === "resolved" ? "" : ` (${countOf(counts, filter.status, kind)})`;
            return [kind, KIND_NAMES[kind] + count] as const;
          }),
        ]}
      />
      <button type="submit">Show</button>
    </form>
  </div>
);

const countOf = (counts: InboxPage["counts"], status: ItemStatus, kind: ItemKind | undefined): number =>
  sum(counts, (one) => (one.status === status && (kind === undefined || one.kind === kind) ? one.count : 0));

type EmptyProps = Pick<InboxViewProps, "workspace" | "filter"> & { hasScores: boolean };

const EmptyInbox: FC<EmptyProps> = ({ workspace, filter: { status, kind, cursor }, hasScores }) => {
  if (status !== "open" || kind !== undefined || cursor !== undefined) {
    return (
      <Empty title={`No ${status} items${kind === undefined ? "" : ` of the kind “${KIND_NAMES[kind]}”`}`}>
        <a href={pathOf(workspace, "inbox")}>Show all open items</a>
      </Empty>
    );
  }
  if (!hasScores) {
    return (
      <Empty title="No scores yet">
        {SCORING_TIME} Until then, <a href={pathOf(workspace, "start")}>send some events</a> or watch them arrive{" "}
        <a href={pathOf(workspace, "live")}>live</a>.
      </Empty>
    );
  }
  return (
    <Empty title="No accounts to contact right now">
      All accounts are scored and no item is open. See <a href={pathOf(workspace, "accounts")}>how they are doing</a>.
    </Empty>
  );
};
