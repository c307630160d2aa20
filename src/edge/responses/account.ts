/** Accounts with their health: docs/wire/accounts.md §13. */
import * as z from "zod";

import { HEALTH_STATES, STAGES } from "../../core/health/model.ts";
import { MAX_EVENTS } from "../../services/present/present-account.ts";
import { response } from "../named-schemas.ts";
import { account, asOf, count, date, moment, nextCursor, object, ok, owner, text, window } from "./fields.ts";
import { confidence, item, modelVersion } from "./inbox-item.ts";

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

export const accountDetails = response(
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
