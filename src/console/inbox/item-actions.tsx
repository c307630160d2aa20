/** Dismissing, snoozing and reopening an item. These are plain forms, so they work without script. */
import type { FC } from "hono/jsx";

import { momentDate } from "../../core/health/texts.ts";
import type { StoredItem } from "../../services/inbox.ts";
import { Notice } from "../components/elements.tsx";
import { type Action, actionPath, type InboxFilter, SNOOZES } from "./inbox-filter.ts";
import { itemTexts } from "./item-texts.ts";

interface ItemActionsProps {
  workspace: { id: string };
  item: StoredItem;
  title: string;
  filter: InboxFilter;
  now: number;
}

export const ItemActions: FC<ItemActionsProps> = ({ workspace, item, title, filter, now }) => {
  const { id, dismissedAt, snoozedUntil } = item;
  const to = (...action: string[]) => actionPath(workspace, filter, id, ...action);
  if (dismissedAt !== null) {
    return (
      <div class="item-actions">
        <p class="note">Dismissed on {formatTime(dismissedAt)}.</p>
        <ActionButton action={to("dismiss", "undo")} label="Reopen" title={title} />
      </div>
    );
  }
  return (
    <div class="item-actions">
      {snoozedUntil !== null && snoozedUntil > now && (
        <>
          <p class="note">Snoozed until {formatTime(snoozedUntil)}.</p>
          <ActionButton action={to("snooze", "undo")} label="Reopen" title={title} />
        </>
      )}
      <form method="post" action={to("snooze")}>
        <label class="visually-hidden" for={`days-${id}`}>
          Snooze for
        </label>
        <select id={`days-${id}`} name="days">
          {Object.entries(SNOOZES).map(([days, name]) => (
            <option value={days} selected={days === "7"}>
              {name}
            </option>
          ))}
        </select>
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

interface ActionNoticeProps extends Omit<ItemActionsProps, "title"> {
  done: Action;
}

/** Confirms the last action and offers to undo it. Shows nothing if the item isn't in that state (anymore). */
export const ActionNotice: FC<ActionNoticeProps> = ({ workspace, item, filter, done, now }) => {
  const { title } = itemTexts(item);
  const { id, dismissedAt, snoozedUntil } = item;
  const isSnoozed = snoozedUntil !== null && snoozedUntil > now;
  const undo = (mark: string) => (
    <ActionButton action={actionPath(workspace, filter, id, mark, "undo")} label="Undo" title={title} />
  );
  if (done === "dismissed" && dismissedAt !== null) {
    return (
      <Notice tone="good">
        <span>Dismissed: {title}.</span>
        {undo("dismiss")}
      </Notice>
    );
  }
  if (done === "snoozed" && isSnoozed) {
    return (
      <Notice tone="good">
        <span>
          Snoozed until {formatTime(snoozedUntil)}: {title}.
        </span>
        {undo("snooze")}
      </Notice>
    );
  }
  if (done === "reopened" && dismissedAt === null && !isSnoozed) return <Notice tone="good">Reopened: {title}.</Notice>;
  return <></>;
};

/** `8 Jan 2030, 06:00 UTC` */
const formatTime = (ms: number): string => `${momentDate(ms)}, ${new Date(ms).toISOString().slice(11, 16)} UTC`;
