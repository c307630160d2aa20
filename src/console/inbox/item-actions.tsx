/** What can be done with an item, and what was done: plain forms, so that it works without script. */
import type { FC } from "hono/jsx";

import { momentDate } from "../../core/health/texts.ts";
import type { StoredItem } from "../../services/inbox.ts";
import { presentItem } from "../../edge/present/item.ts";
import { Notice } from "../components/elements.tsx";
import { actionPath, type Deed, type InboxFilter, SNOOZES } from "./inbox-filter.ts";
import { shortlyNamed } from "./truncate-names.ts";

interface ActionProps {
  workspace: { id: string };
  listed: StoredItem;
  title: string;
  filter: InboxFilter;
  now: number;
}

export const ItemActions: FC<ActionProps> = ({ workspace, listed, title, filter, now }) => {
  const { id, dismissedAt, snoozedUntil } = listed;
  const to = (...action: string[]) => actionPath(workspace, filter, id, ...action);
  if (dismissedAt !== null) {
    return (
      <div class="item-actions">
        <p class="note">Dismissed on {minuteOf(dismissedAt)}.</p>
        <TakeBack action={to("dismiss", "undo")} title={title} />
      </div>
    );
  }
  return (
    <div class="item-actions">
      {snoozedUntil !== null && snoozedUntil > now && (
        <>
          <p class="note">Snoozed until {minuteOf(snoozedUntil)}.</p>
          <TakeBack action={to("snooze", "undo")} title={title} />
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
      <form method="post" action={to("dismiss")}>
        <button type="submit" aria-label={`Dismiss: ${title}`}>
          Dismiss
        </button>
      </form>
    </div>
  );
};

const TakeBack: FC<{ action: string; title: string }> = ({ action, title }) => (
  <form method="post" action={action}>
    <button type="submit" aria-label={`Put back: ${title}`}>
      Put back
    </button>
  </form>
);

interface DoneProps extends Omit<ActionProps, "title"> {
  done: Deed;
}

/** What was just done, and the way back; nothing of what is not so, or not so any more. */
export const DoneNotice: FC<DoneProps> = ({ workspace, listed, filter, done, now }) => {
  const { title } = presentItem(shortlyNamed(listed));
  const { id, dismissedAt, snoozedUntil } = listed;
  const undo = (mark: string) => (
    <form method="post" action={actionPath(workspace, filter, id, mark, "undo")}>
      <button type="submit" aria-label={`Undo: ${title}`}>
        Undo
      </button>
    </form>
  );
  if (done === "dismissed" && dismissedAt !== null) {
    return (
      <Notice tone="good">
        <span>Dismissed: {title}.</span>
        {undo("dismiss")}
      </Notice>
    );
  }
  const isSnoozed = snoozedUntil !== null && snoozedUntil > now;
  if (done === "snoozed" && isSnoozed) {
    return (
      <Notice tone="good">
        <span>
          Snoozed until {minuteOf(snoozedUntil)}: {title}.
        </span>
        {undo("snooze")}
      </Notice>
    );
  }
  if (done === "restored" && dismissedAt === null && !isSnoozed) return <Notice tone="good">Put back: {title}.</Notice>;
  return <></>;
};

/** `8 Jan 2030, 06:00 UTC` */
const minuteOf = (ms: number): string => `${momentDate(ms)}, ${new Date(ms).toISOString().slice(11, 16)} UTC`;
