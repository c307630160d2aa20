/** Dismissing, snoozing and reopening an item. These are plain forms, so they work without script. */
import type { FC } from "hono/jsx";

import { dateOf, momentDate } from "../../core/health/texts.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import { Notice } from "../components/elements.tsx";
import { Select } from "../forms/fields.tsx";
import { type InboxFilter, inboxPath, SNOOZES } from "./inbox-filter.ts";
import { isSnoozed, itemTexts } from "./item-labels.ts";

interface ItemActionsProps {
  workspace: { id: string };
  item: StoredItem;
  title: string;
  filter: InboxFilter;
}

export const ItemActions: FC<ItemActionsProps> = ({ workspace, item, title, filter }) => {
  const to = (...action: string[]) => inboxPath(workspace, filter, item.id, ...action);
  if (item.dismissedAt !== null) {
    return (
      <div class="cluster item-actions">
        <p class="note">Dismissed on {formatTime(item.dismissedAt)}.</p>
        <ActionButton action={to("dismiss", "undo")} label="Reopen" title={title} />
      </div>
    );
  }
  return (
    <div class="cluster item-actions">
      {isSnoozed(item) && (
        <>
          <p class="note">Snoozed until {formatTime(item.snoozedUntil)}.</p>
          <ActionButton action={to("snooze", "undo")} label="Reopen" title={title} />
        </>
      )}
      <form class="cluster" method="post" action={to("snooze")}>
        <Select label="Snooze for" labelPlace="hidden" name="days" selected="7" options={Object.entries(SNOOZES)} />
        <button type="submit" aria-label={`Snooze: ${title}`}>
          Snooze
        </button>
      </form>
      <ActionButton action={to("dismiss")} label="Dismiss" title={title} />
    </div>
  );
};

const ActionButton: FC<{ action: string; label: string; title: string }> = ({ action, label, title }) => (
  <form method="post" action={action}>
    <button type="submit" aria-label={`${label}: ${title}`}>
      {label}
    </button>
  </form>
);

/** Confirms the last action, which the item's state shows, and offers to undo it. */
export const ActionNotice: FC<Omit<ItemActionsProps, "title">> = ({ workspace, item, filter }) => {
  const { title } = itemTexts(item);
  const notice = (text: string, action: string) => (
    <Notice tone="good">
      <span>{`${text}: ${title}.`}</span>
      <ActionButton action={inboxPath(workspace, filter, item.id, action, "undo")} label="Undo" title={title} />
    </Notice>
  );
  if (item.resolvedDay !== null) return null;
  if (item.dismissedAt !== null) return notice("Dismissed", "dismiss");
  if (isSnoozed(item)) return notice(`Snoozed until ${formatTime(item.snoozedUntil)}`, "snooze");
  return <Notice tone="good">Reopened: {title}.</Notice>;
};

export function statusText(item: StoredItem): string {
  if (item.resolvedDay !== null) return `It was resolved on ${dateOf(item.resolvedDay)}.`;
  if (item.dismissedAt !== null) return `It was dismissed on ${formatTime(item.dismissedAt)}.`;
  return isSnoozed(item) ? `It is snoozed until ${formatTime(item.snoozedUntil)}.` : "It is open.";
}

/** `8 Jan 2030, 06:00 UTC` */
const formatTime = (ms: number): string => `${momentDate(ms)}, ${new Date(ms).toISOString().slice(11, 16)} UTC`;
