/** The account's open inbox items. */
import type { FC } from "hono/jsx";

import { dateOf } from "../../core/health/texts.ts";
import type { AccountStory } from "../../services/accounts.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { Badge, Card } from "../components/elements.tsx";
import { takeBytes } from "../components/take-bytes.ts";
import { SEVERITY_NAMES, toneOf } from "../inbox/item-labels.ts";
import { itemTexts } from "../inbox/item-texts.ts";
import { pathOf } from "../session/context.ts";

interface AccountItemsProps {
  workspace: OpenWorkspace;
  account: Pick<AccountStory, "items">;
  now: number;
}

const MAX_BYTES = 26_000;

/** Shows nothing without open items. Dismissed and snoozed items are not to do; the timeline still contains them. */
export const AccountItems: FC<AccountItemsProps> = ({ workspace, account: { items }, now }) => {
  const open = items
    .filter(({ item, dismissedAt, snoozedUntil }) => {
      const isSnoozed = snoozedUntil !== null && snoozedUntil > now;
      return item.resolvedDay === null && dismissedAt === null && !isSnoozed;
    })
    .toSorted((a, b) => b.item.rank - a.item.rank);
  if (open.length === 0) return <></>;
  return (
    <Card title="To do" id="items">
      <ul class="account-items">
        {takeBytes(
          open.map((stored) => {
            const { title, why, suggestedAction } = itemTexts(stored);
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
                  Since {dateOf(openedDay)} ·{" "}
                  <a href={`${pathOf(workspace, "inbox")}#${stored.id}`} aria-label={`View in inbox: ${title}`}>
                    View in inbox
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
