/** Accounts with their health: docs/wire/accounts.md §13. */
import * as z from "zod";

import { daysUntil } from "../../core/durations.ts";
import { type Health, HEALTH_STATES, STAGES } from "../../core/health/model.ts";
import { describeChange, describeMissing, describeReasons } from "../../core/health/texts.ts";
import { iso, isoDate, isoDates, isoOrNull } from "../../edge/present/iso.ts";
import { presentItem } from "../../edge/present/present-item.ts";
import type { AccountDetails } from "../../db/accounts/account-details.ts";
import type { StoredAccount } from "../../db/accounts/list-accounts.ts";
import { response, type ResponseBody } from "../named-schemas.ts";
import { account, asOf, count, date, moment, nextCursor, object, ok, owner, text, window } from "./fields.ts";
import { confidence, item, modelVersion } from "./inbox-item.ts";

const MAX_EVENTS = 20;

const state = z.enum(HEALTH_STATES);
const score = z.number().min(0).max(100);

const health = response(
  "Health",
  z.strictObject({
    score: score.nullable().describe("`null` if there is too little data for a score."),
    state,
    confidence: confidence.nullable(),
    provisional: z.boolean().describe("True when the confidence is low."),
    trend: z.number().nullable().describe("Change of the score in seven days."),
    asOf: date.describe("The last complete day that the score includes."),
    modelVersion,
  }),
);

const ATTRIBUTES = {
  stage: z.string(),
  trialEndsAt: moment,
  plan: z.string(),
  seats: count,
  mrr: z.number().min(0),
  currency: z.string().length(3),
  contractEndsAt: moment,
};

const { stage, trialEndsAt, plan, seats, mrr, currency, contractEndsAt } = ATTRIBUTES;
const attributeChange = z
  .strictObject({
    stage: stage.nullable(),
    trialEndsAt: trialEndsAt.nullable(),
    plan: plan.nullable(),
    seats: seats.nullable(),
    mrr: mrr.nullable(),
    currency: currency.nullable(),
    contractEndsAt: contractEndsAt.nullable(),
  })
  .partial()
  .extend({ date });

const accountSummary = response(
  "AccountSummary",
  account.extend({
    attributes: z.strictObject(ATTRIBUTES).partial(),
    identity: z
      .strictObject({ company: text })
      .optional()
      .describe("Attached identity traits. Only for keys that also have the scope `identity`."),
    owner: owner.describe("Who looks after the account."),
    health: health.nullable().describe("`null` until the account is scored."),
    firstSeenAt: moment,
    lastSeenAt: moment.nullable().describe("Time of the latest event, as of the last recompute."),
  }),
);

export const accounts = response(
  "AccountsResponse",
  z.strictObject({ ok, asOf, accounts: z.array(accountSummary), nextCursor }),
);

const explainedHealth = response(
  "ExplainedHealth",
  health.extend({
    uncapped: score.nullable().describe("The score before caps."),
    coverage: z.number().min(0).max(1).describe("Share of the score's weight that could be measured."),
    stage: z.enum(STAGES),
    stageKnown: z.boolean().describe("False when the sender's stage name is unknown."),
    reasons: z.array(
      z.strictObject({
        kind: z.enum(["loss", "strength", "cap"]),
        code: text,
        points: z.number(),
        observed: z.number(),
        expected: z.number(),
        window,
        text,
      }),
    ),
    changes: z.array(z.strictObject({ component: text, points: z.number(), text })).describe("Changes in seven days."),
    missing: z
      .array(z.strictObject({ code: text, observed: z.number(), required: z.number(), text }))
      .describe("What is missing for a score."),
  }),
);

const accountDetails = response(
  "AccountDetails",
  accountSummary.extend({
    contract: z
      .strictObject({ endsAt: moment, daysLeft: z.int() })
      .nullable()
      .describe(
        "The end of the contract and the UTC days until then, negative after it. `null` if the end is unknown.",
      ),
    superseded: z.boolean().describe("True for a personal account whose user now belongs to another account."),
    health: explainedHealth.nullable(),
    history: z
      .array(z.strictObject({ date, score: score.nullable(), state, activeUsers: z.number().min(0) }))
      .max(90)
      .describe("The last 90 scored days, oldest first."),
    users: z
      .array(z.strictObject({ id: text, externalId: text.nullable(), lastSeenAt: moment, activeDays: count }))
      .max(100)
      .describe("Users who were active in the last 90 days: the 100 most recently seen."),
    topEvents: z
      .array(z.strictObject({ name: text, count: count.min(1), users: count, lastAt: moment }))
      .max(MAX_EVENTS)
      .describe("The 20 most frequent events of the last 28 days."),
    openItems: z.array(item).describe("Unresolved items, including dismissed and snoozed ones."),
    traits: object.describe("Free-form traits that senders set: at most 256."),
    attributeHistory: z
      .array(attributeChange)
      .describe("Changes of attributes, oldest first, as of the last recompute. `null` means cleared."),
  }),
);

export const oneAccount = response("AccountResponse", z.strictObject({ ok, asOf, account: accountDetails }));

export const ownedAccount = response(
  "AccountOwnerResponse",
  z.strictObject({ ok, account: response("OwnedAccount", account.extend({ owner })) }),
);

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

export const presentAccount = (stored: StoredAccount): ResponseBody<typeof accountSummary> => ({
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

export const presentAccountDetails = (stored: AccountDetails, now: number): ResponseBody<typeof accountDetails> => ({
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
