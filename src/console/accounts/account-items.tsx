/** The open inbox items of an account with their actions, and those that somebody has put aside. */
import type { Child, FC } from "hono/jsx";

import { DISMISS_REASONS } from "../../core/inbox/marks.ts";
import { dateOf, momentDate } from "../../core/health/texts.ts";
import type { AccountPageDetails } from "../../db/accounts/account-page.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { IN_PLACE } from "../charts/range.tsx";
import { Badge, Card, Empty, Notice } from "../components/elements.tsx";
import { takeBytes } from "../components/truncate.ts";
import { explainUserDays } from "../components/user-days.tsx";
import { inboxPath } from "../inbox/inbox-filter.ts";
import { isSnoozed, itemTexts, toneOf } from "../inbox/item-labels.ts";
import { type AccountView, viewPath } from "./account-view.ts";

const MAX_ITEMS_BYTES = 16_000;
const MAX_ASIDE_BYTES = 4_000;

type Item = AccountPageDetails["items"][number];

const isAside = (item: Item): boolean => item.dismissedAt !== null || isSnoozed(item);

const dismissedFor = ({ dismissReason }: Item): string =>
  dismissReason === null ? "dismissed" : `dismissed (${labelOf(dismissReason).toLowerCase()})`;

interface ItemsProps {
  workspace: OpenWorkspace;
  account: AccountPageDetails;
  view: AccountView;
  /** The id of the item that the last action has changed. */
  changed: string | undefined;
}

const statusOf = (item: Item): string => {
  if (isSnoozed(item)) return `snoozed until ${momentDate(item.snoozedUntil)}`;
  return item.dismissedAt === null ? "reopened" : dismissedFor(item);
};

export const AccountItems: FC<ItemsProps> = ({ workspace, account, view, changed }) => {
  const unresolved = account.items
    .filter(({ resolvedDay }) => resolvedDay === null)
    .toSorted((a, b) => b.rank - a.rank);
  const form = (item: Item, name: readonly string[], buttons: Child): Child =>
    hasScope(workspace, "inbox") && (
      <form
        class="marks"
        method="post"
        action={viewPath(workspace, account.id, view, "items", item.id, ...name)}
        {...IN_PLACE}
      >
        {buttons}
      </form>
    );
  const action = (item: Item, name: readonly string[], label: string): Child =>
    form(
      item,
      name,
      <button type="submit" aria-label={`${label}: ${itemTexts(item).title}`}>
        {label}
      </button>,
    );
  const undo = (item: Item, label: string): Child =>
    action(item, [isSnoozed(item) ? "snooze" : "dismiss", "undo"], label);
  const dismissal = (item: Item): Child =>
    form(
      item,
      ["dismiss"],
      <fieldset class="cluster">
        <legend>Dismiss</legend>
        {DISMISS_REASONS.map((reason) => (
          <button
            type="submit"
            name="reason"
            value={reason}
            aria-label={`Dismiss, ${labelOf(reason)}: ${itemTexts(item).title}`}
          >
            {labelOf(reason)}
          </button>
        ))}
      </fieldset>,
    );
  const open = unresolved
    .filter((item) => !isAside(item))
    .map((item) => {
      const { title, why, suggestedAction } = itemTexts(item);
      const { id, kind, severity, openedDay } = item;
      return (
        <li class="stack">
          <p class="cluster">
            <Badge tone={toneOf(kind, severity)}>{labelOf(severity)}</Badge>
            <strong>{title}</strong>
          </p>
          <p>{explainUserDays(why)}</p>
          <p>{suggestedAction}</p>
          <div class="cluster">
            <span class="note">
              Since {dateOf(openedDay)} ·{" "}
              <a href={inboxPath(workspace, { show: id })} aria-label={`View in inbox: ${title}`}>
                View in inbox
              </a>
            </span>
            <span class="spring" />
            {action(item, ["snooze"], "Snooze until Monday")}
            {dismissal(item)}
          </div>
        </li>
      );
    });
  const aside = unresolved.filter(isAside).map((item) => (
    <li class="cluster">
      <span>{itemTexts(item).title}</span>
      <span class="note">{statusOf(item)}</span>
      {undo(item, "Reopen")}
    </li>
  ));
  const done = unresolved.find(({ id }) => id === changed);
  return (
    <Card title="To do" id="items">
      {done !== undefined && (
        <Notice tone="good">
          <span>{`${statusOf(done).replace(/^./, (first) => first.toUpperCase())}: ${itemTexts(done).title}.`}</span>
          {isAside(done) && undo(done, "Undo")}
        </Notice>
      )}
      {open.length === 0 ? (
        <Empty title="Nothing to do for this account" />
      ) : (
        <ul class="column">{takeBytes(open, MAX_ITEMS_BYTES)}</ul>
      )}
      {aside.length > 0 && (
        <details>
          <summary>Dismissed and snoozed: {aside.length}</summary>
          <ul class="column">{takeBytes(aside, MAX_ASIDE_BYTES)}</ul>
        </details>
      )}
    </Card>
  );
};
