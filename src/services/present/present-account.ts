/** Presents accounts with their health. Codes are stored, and sentences are added here. */
import { daysUntil } from "../../core/durations.ts";
import type { Health } from "../../core/health/model.ts";
import { describeChange, describeMissing, describeReasons } from "../../core/health/texts.ts";
import type { AccountDetails } from "../../db/accounts/account-details.ts";
import type { StoredAccount } from "../../db/accounts/list-accounts.ts";
import { iso, isoDate, isoDates, isoOrNull } from "./iso.ts";
import { presentItem } from "./present-item.ts";

export const MAX_EVENTS = 20;

const presentHealth = (scored: Health) => ({
  score: scored.score,
  state: scored.state,
  confidence: scored.confidence,
  provisional: scored.confidence === "low",
  trend: scored.trend,
  asOf: isoDate(scored.day),
  modelVersion: scored.modelVersion,
});

/** Presents health with a sentence for every code. */
function presentExplainedHealth(scored: Health) {
  const texts = describeReasons(scored.reasons);
  return {
    ...presentHealth(scored),
    uncapped: scored.uncapped,
    coverage: scored.coverage,
    stage: scored.stage,
    stageKnown: scored.stageKnown,
    reasons: scored.reasons.map((reason, index) => ({
      ...reason,
      window: isoDates(reason.window),
      text: texts[index] ?? reason.code,
    })),
    changes: scored.changes.map((change) => ({ ...change, text: describeChange(change) })),
    missing: scored.missing.map((missing) => ({ ...missing, text: describeMissing(missing) })),
  };
}

export const presentAccount = (stored: StoredAccount) => ({
  id: stored.id,
  externalId: stored.externalId,
  kind: stored.kind,
  attributes: stored.attributes,
  ...(stored.identity?.company === undefined ? {} : { identity: { company: stored.identity.company } }),
  owner: stored.owner,
  health: stored.health && presentHealth(stored.health),
  firstSeenAt: iso(stored.firstSeenAt),
  lastSeenAt: isoOrNull(stored.lastSeenAt),
});

function presentContract({ contractEndsAt: end }: StoredAccount["attributes"], now: number) {
  return end === undefined ? null : { endsAt: String(end), daysLeft: daysUntil(Date.parse(String(end)), now) };
}

export const presentAccountDetails = (stored: AccountDetails, now: number) => ({
  ...presentAccount(stored),
  contract: presentContract(stored.attributes, now),
  superseded: stored.superseded,
  health: stored.health && presentExplainedHealth(stored.health),
  history: stored.history.map(({ day, uncapped: _uncapped, ...rest }) => ({ date: isoDate(day), ...rest })),
  users: stored.users.map(({ identity: _identity, role: _role, lastSeenAt, ...user }) => ({
    ...user,
    lastSeenAt: iso(lastSeenAt),
  })),
  topEvents: stored.features
    .filter(({ count: events }) => events > 0)
    .slice(0, MAX_EVENTS)
    .map(({ before: _before, lastAt, ...event }) => ({ ...event, lastAt: iso(lastAt) })),
  openItems: stored.items.filter(({ resolvedDay }) => resolvedDay === null).map(presentItem),
  traits: stored.traits,
  attributeHistory: stored.changes.map(([day, values]) => ({ date: isoDate(day), ...values })),
});
