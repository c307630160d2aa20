/** What is open about an account. */
import type { FC } from "hono/jsx";

import { dateOf, momentDate } from "../../core/health/texts.ts";
import type { StoredItem } from "../../services/inbox.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { presentItem } from "../../edge/present/item.ts";
import { pathOf } from "../session/context.ts";
import { SEVERITY_NAMES, toneOf } from "../inbox/item-words.ts";
import { shortlyNamed } from "../inbox/truncate-names.ts";
import { fitting } from "../components/take-bytes.ts";
import { Badge, Card } from "../components/elements.tsx";

interface AccountItemsProps {
  workspace: OpenWorkspace;
  items: StoredItem[];
  now: number;
}

const MAX_BYTES = 26_000;

/** With none open there is nothing. */
export const AccountItems: FC<AccountItemsProps> = ({ workspace, items, now }) => {
  const open = items.filter(({ item }) => item.resolvedDay === null).toSorted((a, b) => b.item.rank - a.item.rank);
  if (open.length === 0) return <></>;
  return (
    <Card title="To do" id="items">
      <ul class="account-items">
        {fitting(
          open.map((stored) => {
            const { title, why, suggestedAction } = presentItem(shortlyNamed(stored));
            const { kind, severity, openedDay } = stored.item;
            return (
              <li>
                <p class="account-item-title">
                  <Badge tone={toneOf(kind, severity)}>{SEVERITY_NAMES[severity]}</Badge>
                  <strong>{title}</strong>
                </p>
                <p>{why}</p>
                <p>{suggestedAction}</p>
                <p class="note">
                  Since {dateOf(openedDay)}
                  {putAside(stored, now)} ·{" "}
                  <a href={inboxOf(workspace, stored, now)} aria-label={`In the inbox: ${title}`}>
                    In the inbox
                  </a>
                </p>
              </li>
            );
          }),
          MAX_BYTES,
        )}
      </ul>
    </Card>
  );
};

function putAside({ dismissedAt, snoozedUntil }: StoredItem, now: number): string {
  if (dismissedAt !== null) return ` · dismissed on ${momentDate(dismissedAt)}`;
  return snoozedUntil !== null && snoozedUntil > now ? ` · snoozed until ${momentDate(snoozedUntil)}` : "";
}

/** The list of the inbox that it stands in. */
function inboxOf(workspace: OpenWorkspace, { id, dismissedAt, snoozedUntil }: StoredItem, now: number): string {
  const isSnoozed = snoozedUntil !== null && snoozedUntil > now;
  const query = dismissedAt !== null ? "?status=dismissed" : isSnoozed ? "?status=snoozed" : "";
  return `${pathOf(workspace, "inbox")}${query}#${id}`;
}
