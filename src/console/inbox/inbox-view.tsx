/** The inbox: items about accounts to contact, most urgent first. */
import { sum } from "d3-array";
import type { FC } from "hono/jsx";

import { KIND_NAMES } from "../../core/inbox/kind-names.ts";
import { type ItemKind, ITEM_KINDS, ITEM_STATUSES, type ItemStatus } from "../../core/inbox/model.ts";
import type { InboxPage, StoredItem } from "../../db/inbox/list-items.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { pathOf } from "../paths.ts";
import { SCORING_TIME } from "../accounts/labels.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { Empty, Heading, Moment, Notice, Pager } from "../components/elements.tsx";
import { truncate } from "../components/truncate.ts";
import { MAX_OWNER_CHARACTERS, Select } from "../forms/fields.tsx";
import { type InboxFilter, inboxPath } from "./inbox-filter.ts";
import { ActionNotice, statusText } from "./item-actions.tsx";
import { ItemCard, type ItemCardProps } from "./item-card.tsx";

interface InboxViewProps {
  workspace: OpenWorkspace;
  filter: InboxFilter;
  page: InboxPage;
  nextCursor: string | null;
  /** Whether a link from elsewhere, and not an action, selected the item. */
  isLinked: boolean;
}

export const InboxView: FC<InboxViewProps> = ({ workspace, filter, page, nextCursor, isLinked }) => {
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
      {isLinked ? (
        <LinkedItem {...{ workspace, filter, canChange }} item={selected} />
      ) : (
        selected !== null && <ActionNotice {...{ workspace, filter }} item={selected} />
      )}
      <Filters {...{ workspace, filter }} counts={page.counts} />
      {items.length === 0 && <EmptyInbox {...{ workspace, filter }} hasScores={updatedAt !== null} />}
      <ol class="column">
        {items
          .filter(({ id }) => !isLinked || id !== selected?.id)
          .map((item) => (
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

/** The item of a link, whatever its status and the filter. */
const LinkedItem: FC<Omit<ItemCardProps, "item"> & { item: StoredItem | null }> = ({ item, ...props }) =>
  item === null ? (
    <Notice tone="watch">The item from your link does not exist in this workspace.</Notice>
  ) : (
    <>
      <Notice tone="accent">
        <strong>The item from your link.</strong> {statusText(item)}
      </Notice>
      <ItemCard {...props} item={item} isCurrent />
    </>
  );

type FiltersProps = Pick<InboxViewProps, "workspace" | "filter"> & Pick<InboxPage, "counts">;

const Filters: FC<FiltersProps> = ({ workspace, filter, counts }) => (
  <div class="cluster split">
    <nav class="segments" aria-label="Status">
      {ITEM_STATUSES.map((status) => (
        <a
          href={inboxPath(workspace, { status, kind: filter.kind, owner: filter.owner })}
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
      <input
        name="owner"
        aria-label="Owner"
        maxlength={MAX_OWNER_CHARACTERS}
        placeholder="Any owner"
        value={filter.owner}
      />
      <button type="submit">Show</button>
    </form>
  </div>
);

const countOf = (counts: InboxPage["counts"], status: ItemStatus, kind: ItemKind | undefined): number =>
  sum(counts, (one) => (one.status === status && (kind === undefined || one.kind === kind) ? one.count : 0));

type EmptyProps = Pick<InboxViewProps, "workspace" | "filter"> & { hasScores: boolean };

const EmptyInbox: FC<EmptyProps> = ({ workspace, filter: { status, kind, owner, cursor }, hasScores }) => {
  if (status !== "open" || kind !== undefined || owner !== undefined || cursor !== undefined) {
    const ofKind = kind === undefined ? "" : ` of the kind “${KIND_NAMES[kind]}”`;
    const ofOwner = owner === undefined ? "" : ` of the owner “${truncate(owner)}”`;
    return (
      <Empty title={`No ${status} items${ofKind}${ofOwner}`}>
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
