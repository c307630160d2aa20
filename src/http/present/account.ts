import type { AccountDetails } from "../../services/accounts.ts";
import type { StoredAccount } from "../../services/accounts.ts";
import { iso, isoDate, isoOrNull } from "../../edge/present/iso.ts";
import { presentExplainedHealth, presentHealth } from "./health.ts";
import { presentItem } from "../../edge/present/item.ts";

/** An account in a list. */
export function presentAccount(account: StoredAccount) {
  const { id, externalId, kind, attributes, identity, health, firstSeenAt, lastSeenAt } = account;
  return {
    id,
    externalId,
    kind,
    attributes,
    ...(identity === null ? {} : { identity }),
    health: health && presentHealth(health),
    firstSeenAt: iso(firstSeenAt),
    lastSeenAt: isoOrNull(lastSeenAt),
  };
}

/** An account by itself. */
export function presentAccountDetails(account: AccountDetails) {
  const { health, superseded, history, users, topEvents, openItems } = account;
  return {
    ...presentAccount(account),
    superseded,
    health: health && presentExplainedHealth(health),
    history: history.map(({ day, ...rest }) => ({ date: isoDate(day), ...rest })),
    users: users.map((user) => ({ ...user, lastSeenAt: iso(user.lastSeenAt) })),
    topEvents: topEvents.map((event) => ({ ...event, lastAt: iso(event.lastAt) })),
    openItems: openItems.map(presentItem),
  };
}
