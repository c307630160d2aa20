/** An item: what happened, the evidence, the suggested action, and the buttons to dismiss or snooze it. */
import type { FC } from "hono/jsx";

import { dateOf, datesOf, inFigures, momentDate } from "../../core/health/texts.ts";
import { isOpportunity, KIND_NAMES, RESOLUTION_TEXTS } from "../../core/inbox/kind-names.ts";
import type { ItemEvidence } from "../../core/inbox/model.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { Badge, Detail } from "../components/elements.tsx";
import { accountName, formatMoney } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../paths.ts";
import type { InboxFilter } from "./inbox-filter.ts";
import { ItemActions } from "./item-actions.tsx";
import { evidenceLabel, formatEvidence, itemTexts, toneOf } from "./item-labels.ts";

export interface ItemCardProps {
  workspace: { id: string };
  item: StoredItem;
  filter: InboxFilter;
  canChange: boolean;
  /** Marks the item among others. */
  isCurrent?: boolean;
}

export const ItemCard: FC<ItemCardProps> = ({ workspace, item, filter, canChange, isCurrent }) => {
  const { id, account, identity, mrr, currency } = item;
  const { title, why, suggestedAction, closesWhen } = itemTexts(item);
  return (
    <article class="card item" aria-labelledby={id} aria-current={isCurrent === true ? "true" : undefined}>
      <div class="stack">
        <p class="cluster note">
          <Badge tone={toneOf(item.kind, item.severity)}>
            {labelOf(item.severity)}
            <span class="visually-hidden"> severity</span>
          </Badge>
          {KIND_NAMES[item.kind]}
        </p>
        <h2 id={id}>{title}</h2>
        <p>{why}</p>
        <dl class="cluster loose item-details">
          {account !== null && (
            <Detail name="Account">
              <a href={pathOf(workspace, "accounts", account.id)}>{truncate(accountName({ ...account, identity }))}</a>
            </Detail>
          )}
          {mrr !== null && (
            <Detail name={isOpportunity(item.kind) ? "MRR" : "MRR at risk"}>{formatMoney(mrr, currency)}</Detail>
          )}
          {item.owner !== null && <Detail name="Owner">{truncate(item.owner)}</Detail>}
          {item.dueAt !== null && <Detail name="Deadline">{momentDate(item.dueAt)}</Detail>}
          <Detail name="Since">{dateOf(item.openedDay)}</Detail>
          <Detail name="Confidence">{labelOf(item.confidence)}</Detail>
          <Detail name="Priority">{inFigures(item.rank)}</Detail>
        </dl>
        {item.evidence.length > 0 && (
          <details>
            <summary>Details</summary>
            {/* Evidence without dates of its own is as of the day when the item was last confirmed. */}
            <p class="note">As of {dateOf(item.confirmedDay)}</p>
            <Table caption={`Evidence: ${title}`} class="evidence" columns={EVIDENCE_COLUMNS} rows={item.evidence} />
          </details>
        )}
      </div>
      <div class="item-side stack">
        {item.resolvedDay === null ? (
          <>
            <h3>Suggested action</h3>
            <p>{suggestedAction}</p>
            <p class="note">Auto-resolves when: {closesWhen}</p>
          </>
        ) : (
          <>
            <h3>Resolved on {dateOf(item.resolvedDay)}</h3>
            {item.resolution !== null && <p>{RESOLUTION_TEXTS[item.resolution]}</p>}
          </>
        )}
        {canChange && item.resolvedDay === null && <ItemActions {...{ workspace, item, title, filter }} />}
      </div>
    </article>
  );
};

const EVIDENCE_COLUMNS: TableColumns<ItemEvidence> = [
  {
    title: "Measure",
    cell: ({ code, window }) => (
      <>
        {evidenceLabel(code)}
        {window !== undefined && <span class="note"> {datesOf(window)}</span>}
      </>
    ),
  },
  { title: "Actual", class: "num", cell: ({ code, value }) => formatEvidence(code, value) },
  {
    title: "Expected",
    class: "num",
    cell: ({ code, expected }) => (expected === undefined ? "–" : formatEvidence(code, expected)),
  },
];
