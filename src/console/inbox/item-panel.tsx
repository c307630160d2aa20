/** The panel beside the list: all about one item, whom to write to, and what to do with it. */
import type { FC } from "hono/jsx";

import { clockTime } from "../../core/local-time.ts";
import { dateOf, datesOf, momentDate } from "../../core/health/texts.ts";
import { describeResolution, isOpportunity, KIND_NAMES } from "../../core/inbox/kind-names.ts";
import type { ItemEvidence } from "../../core/inbox/model.ts";
import { type Contact, type InboxPage, PANEL_DAYS } from "../../db/inbox/inbox-page.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { formatTrait } from "../accounts/labels.ts";
import { Sparkline } from "../charts/line-chart.tsx";
import { Badge, Detail } from "../components/elements.tsx";
import { accountName, formatMoney, nameOfActor, userName } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { explainUserDays } from "../components/user-days.tsx";
import { pathOf } from "../paths.ts";
import { type InboxFilter, inboxPath } from "./inbox-filter.ts";
import { evidenceLabel, formatEvidence, isSnoozed, itemTexts, toneOf } from "./item-labels.ts";
import { ItemForms } from "./mark-forms.tsx";

type PanelProps = Pick<InboxPage, "contacts" | "scores" | "owners"> & {
  workspace: OpenWorkspace;
  filter: InboxFilter;
  item: StoredItem;
};

export const ItemPanel: FC<PanelProps> = ({ workspace, filter, item, contacts, scores, owners }) => {
  const { account, identity, mrr, currency } = item;
  const { title, why, suggestedAction, closesWhen } = itemTexts(item);
  return (
    <aside class="card item" aria-labelledby="item-title">
      <div class="cluster split">
        <p class="cluster note">
          <Badge tone={toneOf(item.kind, item.severity)}>{labelOf(item.severity)}</Badge>
          {KIND_NAMES[item.kind]}
        </p>
        <a class="button" href={inboxPath(workspace, filter)} data-key="Escape">
          Close
        </a>
      </div>
      <h2 id="item-title">{explainUserDays(title)}</h2>
      <p class="note">{statusOf(item, workspace.timezone)}</p>
      {item.resolvedDay === null ? (
        <>
          <h3>What to do</h3>
          <p>{suggestedAction}</p>
        </>
      ) : (
        item.resolution !== null && <p>{describeResolution(item.kind, item.resolution)}</p>
      )}
      {item.resolvedDay === null && hasScope(workspace, "inbox") && (
        <ItemForms {...{ workspace, filter, item, owners }} />
      )}
      {contacts.length > 0 && (
        <>
          <h3>Whom to write to</h3>
          <ul class="stack contacts">
            {contacts.map((contact) => (
              <ContactLine {...{ contact }} />
            ))}
          </ul>
        </>
      )}
      <h3>Why</h3>
      <p>{explainUserDays(why)}</p>
      <dl class="details">
        {account !== null && (
          <Detail name="Account">
            <a href={pathOf(workspace, "accounts", account.id)} hx-boost="false">
              {truncate(accountName({ ...account, identity }))}
            </a>{" "}
            <Sparkline name="Score" points={scores} tone="accent" />
          </Detail>
        )}
        {mrr !== null && (
          <Detail name={isOpportunity(item.kind) ? "MRR" : "MRR at risk"}>{formatMoney(mrr, currency)}</Detail>
        )}
        {item.contractEndsAt !== null && (
          <Detail name="Contract ends">{momentDate(Date.parse(item.contractEndsAt))}</Detail>
        )}
        {item.dueAt !== null && <Detail name="Deadline">{momentDate(item.dueAt)}</Detail>}
        <Detail name="Owner">{item.owner === null ? "nobody" : truncate(item.owner)}</Detail>
        <Detail name="Since">{dateOf(item.openedDay)}</Detail>
        <Detail name="Confidence">{labelOf(item.confidence)}</Detail>
        {item.resolvedDay === null && <Detail name="Resolves">{closesWhen}</Detail>}
      </dl>
      {item.evidence.length > 0 && (
        <details>
          <summary>Evidence</summary>
          {/* Evidence without dates of its own is as of the day when the item was last confirmed. */}
          <p class="note">As of {dateOf(item.confirmedDay)}</p>
          <Table caption={`Evidence: ${title}`} class="evidence" columns={EVIDENCE_COLUMNS} rows={item.evidence} />
        </details>
      )}
    </aside>
  );
};

const mailTo = (email: string): string => `mailto:${encodeURIComponent(email).replace("%40", "@")}`;

const ContactLine: FC<{ contact: Contact }> = ({ contact }) => {
  const { identity, role, activeDays, lastDay, externalId } = contact;
  const name = truncate(userName(contact));
  const details = [
    role === null ? "" : formatTrait(role),
    externalId === null || externalId === name ? "" : truncate(externalId),
    `active on ${activeDays} of ${PANEL_DAYS} days, last on ${dateOf(lastDay)}`,
  ];
  return (
    <li>
      {identity?.email === undefined ? name : <a href={mailTo(identity.email)}>{name}</a>}
      <span class="under">{details.filter((detail) => detail !== "").join(" · ")}</span>
    </li>
  );
};

function statusOf(item: StoredItem, timezone: string): string {
  if (item.resolvedDay !== null) return `Resolved on ${dateOf(item.resolvedDay)}.`;
  const contacted =
    item.contactedAt === null
      ? ""
      : ` ${nameOfActor(item.contactedBy ?? "")} contacted the account on ${momentDate(item.contactedAt)}.`;
  if (item.dismissedAt !== null) {
    const reason = item.dismissReason === null ? "" : ` (${labelOf(item.dismissReason).toLowerCase()})`;
    return `Dismissed on ${momentDate(item.dismissedAt)}${reason}.${contacted}`;
  }
  return isSnoozed(item) ? `Snoozed until ${clockTime(item.snoozedUntil, timezone)}.${contacted}` : `Open.${contacted}`;
}

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
