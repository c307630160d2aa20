import type { AccountDetails, StoredAccount } from "../../services/accounts.ts";
import { iso, isoDate, isoOrNull } from "../../edge/present/iso.ts";
import { presentExplainedHealth, presentHealth } from "./health.ts";
import { presentItem } from "../../edge/present/item.ts";
import type { accountDetails, accountSummary } from "../schemas/outcomes.ts";
import type { ResponseBody } from "../schemas/registry.ts";

/** Presents an account in a list. */
export function presentAccount(account: StoredAccount): ResponseBody<typeof accountSummary> {
  const { id, externalId, kind, attributes, identity, health, firstSeenAt, lastSeenAt } = account;
  return {
    id,
    externalId,
    kind,
    attributes,
    ...(identity?.company === undefined ? {} : { identity: { company: identity.company } }),
    health: health && presentHealth(health),
    firstSeenAt: iso(firstSeenAt),
    lastSeenAt: isoOrNull(lastSeenAt),
  };
}

/** Presents an account with the explanation of its health. */
export function presentAccountDetails(account: AccountDetails): ResponseBody<typeof accountDetails> {
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
