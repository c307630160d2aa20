/** The inbox: a list of items about accounts to contact, most urgent first, and a panel with one of them. */
import { sum } from "d3-array";
import type { FC } from "hono/jsx";

import { dateOf, momentDate } from "../../core/health/texts.ts";
import { clockTime } from "../../core/local-time.ts";
import { KIND_NAMES } from "../../core/inbox/kind-names.ts";
import { type ItemKind, ITEM_KINDS, ITEM_STATUSES, type ItemStatus } from "../../core/inbox/model.ts";
import { NOBODY } from "../../db/accounts/account-conditions.ts";
import type { InboxPage } from "../../db/inbox/inbox-page.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import type { Owner } from "../owner-ids.ts";
import { pathOf } from "../paths.ts";
import { SCORING_TIME } from "../accounts/labels.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { Badge, DocsLink, Empty, Heading, Moment, Notice, orNone, Pager } from "../components/elements.tsx";
import { accountName, formatMoney } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { ownName } from "../../edge/actor-name.ts";
import { Select } from "../forms/fields.tsx";
import { MINE } from "../forms/owner-form.ts";
import { type Deed, IN_PLACE, type InboxFilter, inboxPath } from "./inbox-filter.ts";
import { InboxKeys } from "./inbox-keys.tsx";
import { itemTexts, toneOf } from "./item-labels.ts";
import { ItemPanel } from "./item-panel.tsx";
import { BulkForm, ChangedNotice } from "./mark-forms.tsx";

interface InboxViewProps {
  workspace: OpenWorkspace;
  filter: InboxFilter;
  page: InboxPage;
  /** Those in use, and the one that is asked for. */
  owners: readonly Owner[];
  /** The id that the address asks for. */
  show: string | undefined;
  did: Deed | undefined;
  nextCursor: string | null;
}

/** As `pageQuery` orders them. */
const ORDERS = {
  open: "most urgent first: severity, deadline, confidence and MRR count together",
  resolved: "those resolved last first",
};

export const InboxView: FC<InboxViewProps> = ({ workspace, filter, page, owners, show, did, nextCursor }) => {
  const { items, shown, changed, updatedAt } = page;
  const canMark = hasScope(workspace, "inbox");
  return (
    <>
      <Heading
        title="Inbox"
        lead={
          <>
            Accounts to contact, {ORDERS[filter.status === "resolved" ? "resolved" : "open"]}.
            {updatedAt !== null && (
              <>
                {" "}
                Updated <Moment at={updatedAt} />.
              </>
            )}
          </>
        }
      >
        <InboxKeys />
        <DocsLink page="inbox" />
      </Heading>
      <div class="column" {...IN_PLACE}>
        {show !== undefined && shown === null && (
          <Notice tone="watch">The item from your link does not exist in this workspace.</Notice>
        )}
        <ChangedNotice {...{ workspace, filter, did }} items={changed} />
        <Filters {...{ workspace, filter, owners }} counts={page.counts} />
        <div class={shown === null ? "column" : "inbox-split"}>
          {items.length === 0 ? (
            <EmptyInbox {...{ workspace, filter, owners }} hasScores={updatedAt !== null} />
          ) : (
            <section class="card inbox" aria-label="Items">
              {canMark && filter.status !== "resolved" && <BulkForm {...{ workspace, filter, owners }} />}
              <Table
                caption={`Items: ${labelOf(filter.status)}`}
                class="narrow"
                columns={columnsOf(workspace, filter, shown, canMark)}
                rows={items}
              />
            </section>
          )}
          {shown !== null && <ItemPanel {...{ workspace, filter, ...page }} item={shown} />}
        </div>
        <Pager
          next={nextCursor === null ? null : inboxPath(workspace, { ...filter, cursor: nextCursor })}
          first={filter.cursor === undefined ? null : inboxPath(workspace, { ...filter, cursor: undefined })}
        />
      </div>
    </>
  );
};

const columnsOf = (
  workspace: OpenWorkspace,
  filter: InboxFilter,
  shown: StoredItem | null,
  canMark: boolean,
): TableColumns<StoredItem> => [
  {
    title: "Item",
    cell: (item) => (
      <span class="item-row">
        {canMark && item.resolvedDay === null && (
          <input
            type="checkbox"
            form="bulk"
            name="ids"
            value={item.id}
            aria-label={`Select: ${itemTexts(item).title}`}
          />
        )}
        <Badge tone={toneOf(item.kind, item.severity)}>
          {labelOf(item.severity)}
          <span class="visually-hidden"> severity</span>
        </Badge>
        <a
          id={item.id}
          class="item-link"
          href={inboxPath(workspace, { ...filter, show: item.id })}
          aria-current={item.id === shown?.id ? "true" : undefined}
        >
          {itemTexts(item).title}
        </a>
        {item.contactedAt !== null && <Badge tone="accent">Contacted</Badge>}
      </span>
    ),
  },
  {
    title: "Account",
    class: "optional",
    cell: ({ account, identity }) =>
      orNone(
        account === null ? null : (
          <a href={pathOf(workspace, "accounts", account.id)} hx-boost="false">
            {truncate(accountName({ ...account, identity }))}
          </a>
        ),
      ),
  },
  { title: "MRR", class: "num", cell: ({ mrr, currency }) => orNone(mrr === null ? null : formatMoney(mrr, currency)) },
  filter.status === "snoozed"
    ? {
        title: "Until",
        class: "num",
        cell: ({ snoozedUntil }) => snoozedUntil !== null && clockTime(snoozedUntil, workspace.timezone),
      }
    : { title: "Due", class: "num optional", cell: ({ dueAt }) => orNone(dueAt === null ? null : momentDate(dueAt)) },
  { title: "Since", class: "num optional", cell: ({ openedDay }) => dateOf(openedDay) },
  { title: "Owner", class: "optional", cell: ({ owner }) => orNone(owner === null ? null : truncate(owner)) },
];

type FiltersProps = Pick<InboxViewProps, "workspace" | "filter" | "owners"> & Pick<InboxPage, "counts">;

const Filters: FC<FiltersProps> = ({ workspace, filter, counts, owners }) => (
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
    <form class="cluster" method="get" action={pathOf(workspace, "inbox")} hx-trigger="submit, change">
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
      <Select
        label="Owner"
        name="owner"
        labelPlace="beside"
        selected={filter.owner}
        options={[
          ["", "Any owner"],
          ...(ownName(workspace.user) === null ? [] : [[MINE, "Mine"] as const]),
          [NOBODY, "Nobody"],
          ...owners.map(({ id, name }) => [id, truncate(name)] as const),
        ]}
      />
      <noscript>
        <button type="submit">Show</button>
      </noscript>
    </form>
  </div>
);

const countOf = (counts: InboxPage["counts"], status: ItemStatus, kind: ItemKind | undefined): number =>
  sum(counts, (one) => (one.status === status && (kind === undefined || one.kind === kind) ? one.count : 0));

type EmptyProps = Pick<InboxViewProps, "workspace" | "filter" | "owners"> & { hasScores: boolean };

const EmptyInbox: FC<EmptyProps> = ({ workspace, owners, filter: { status, kind, owner: id, cursor }, hasScores }) => {
  const owner = id === MINE || id === NOBODY ? id : owners.find((each) => each.id === id)?.name;
  if (status !== "open" || kind !== undefined || owner !== undefined || cursor !== undefined) {
    const ofKind = kind === undefined ? "" : ` of the kind “${KIND_NAMES[kind]}”`;
    const [isMine, isNobody] = [owner === MINE, owner === NOBODY];
    const ofName = owner === undefined ? "" : ` of the owner “${truncate(owner)}”`;
    const ofOwner = isMine ? " of yours" : isNobody ? " without an owner" : ofName;
    return (
      <Empty title={`No ${status} items${ofKind}${ofOwner}`}>
        <a href={pathOf(workspace, "inbox")}>Show all open items</a>
      </Empty>
    );
  }
  if (!hasScores) {
    return (
      <Empty title="No scores yet">
        {SCORING_TIME} Until then,{" "}
        <a href={pathOf(workspace, "start")} hx-boost="false">
          send some events
        </a>{" "}
        or watch them arrive{" "}
        <a href={pathOf(workspace, "live")} hx-boost="false">
          live
        </a>
        .
      </Empty>
    );
  }
  return (
    <Empty title="No accounts to contact right now">
      All accounts are scored and no item is open. See{" "}
      <a href={pathOf(workspace, "accounts")} hx-boost="false">
        how they are doing
      </a>
      .
    </Empty>
  );
};
