/** Accounts and inbox items with the results of the recompute: docs/wire.md §13, §14. */
import * as z from "zod";

import { CONFIDENCES, HEALTH_STATES, STAGES } from "../../core/health/model.ts";
import { ITEM_KINDS, RESOLUTIONS, SEVERITIES } from "../../core/inbox/model.ts";
import { response } from "./registry.ts";
import { account, asOf, count, date, moment, nextCursor, ok, text, window } from "./shapes.ts";

const confidence = z.enum(CONFIDENCES);
const state = z.enum(HEALTH_STATES);
const score = z.number().min(0).max(100);
const modelVersion = z.int().min(1).describe("Version of the scoring model.");

export const health = response(
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

export const accountSummary = response(
  "AccountSummary",
  account.extend({
    attributes: z.strictObject({
      stage: z.string().optional(),
      trialEndsAt: moment.optional(),
      plan: z.string().optional(),
      seats: count.optional(),
      mrr: z.number().min(0).optional(),
      currency: z.string().length(3).optional(),
    }),
    identity: z
      .strictObject({ company: text })
      .optional()
      .describe("Attached identity traits. Only for keys that also have the scope `identity`."),
    health: health.nullable().describe("`null` until the account is scored."),
    firstSeenAt: moment,
    lastSeenAt: moment.nullable().describe("Time of the latest event, as of the last recompute."),
  }),
);

export const accounts = response(
  "AccountsResponse",
  z.strictObject({ ok, asOf, accounts: z.array(accountSummary), nextCursor }),
);

export const item = response(
  "InboxItem",
  z.strictObject({
    id: z.string().regex(/^itm_/),
    kind: z.enum(ITEM_KINDS),
    severity: z.enum(SEVERITIES),
    account: account.nullable().describe("`null` for an item about the whole workspace."),
    subject: z
      .discriminatedUnion("type", [
        z.strictObject({ type: z.literal("user"), id: text.nullable(), externalId: text.nullable() }),
        z.strictObject({ type: z.literal("feature"), name: text }),
        z.strictObject({ type: z.literal("trial_end"), at: moment }),
        z.strictObject({ type: z.literal("seats"), seats: count }),
        z.strictObject({ type: z.literal("attribute"), name: text }),
      ])
      .optional()
      .describe("The part of the account that the item is about, for kinds that have one."),
    title: text.describe("Plain text that contains names as senders gave them. Not markup."),
    why: text,
    evidence: z.array(
      z.strictObject({
        code: text,
        value: z.union([z.number(), date]),
        expected: z.number().optional(),
        window: window.optional(),
      }),
    ),
    since: moment,
    lastConfirmedAt: moment,
    resolvedAt: moment.nullable(),
    resolution: z.enum(RESOLUTIONS).nullable(),
    dueAt: moment.optional(),
    suggestedAction: text,
    closesWhen: text,
    confidence,
    status: z.enum(["open", "resolved"]).describe("Dismissing or snoozing an item doesn't change its status."),
    dismissedAt: moment.nullable(),
    snoozedUntil: moment.nullable(),
    occurrence: count.min(1),
    modelVersion,
  }),
);

export const inbox = response("InboxResponse", z.strictObject({ ok, asOf, items: z.array(item), nextCursor }));
export const marked = response("InboxItemResponse", z.strictObject({ ok, item }));

export const explainedHealth = response(
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
      .max(20)
      .describe("The 20 most frequent events of the last 28 days."),
    openItems: z.array(item).describe("Unresolved items, including dismissed and snoozed ones."),
  }),
);

export const oneAccount = response("AccountResponse", z.strictObject({ ok, asOf, account: accountDetails }));
