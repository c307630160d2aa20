/** Accounts and the inbox with what the recompute concluded: docs/wire.md §13, §14. */
import * as z from "zod";

import { CONFIDENCES, HEALTH_STATES, MODEL_VERSION, STAGES } from "../../../core/health/model.ts";
import { ITEM_KINDS, RESOLUTIONS, SEVERITIES } from "../../../core/inbox/model.ts";
import { account, asOf, count, date, moment, nextCursor, ok, text, window } from "./shapes.ts";

const confidence = z.enum(CONFIDENCES);
const state = z.enum(HEALTH_STATES);
const score = z.number().min(0).max(100);

export const health = z.strictObject({
  score: score.nullable().describe("`null` where there is none."),
  state,
  confidence: confidence.nullable(),
  provisional: z.boolean().describe("The confidence is low."),
  trend: z.number().nullable().describe("The score less that of seven days before."),
  asOf: date.describe("The complete day that was judged."),
  modelVersion: z.literal(MODEL_VERSION),
});

export const accountSummary = account.extend({
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
    .describe("What was attached; shown to keys with the scope `identity` beside `read`."),
  health: health.nullable().describe("`null` until the account is judged."),
  firstSeenAt: moment,
  lastSeenAt: moment.nullable().describe("The time of its last event, as of the last recompute."),
});

export const accounts = z.strictObject({ ok, asOf, accounts: z.array(accountSummary), nextCursor });

export const item = z.strictObject({
  id: z.string().regex(/^itm_/),
  kind: z.enum(ITEM_KINDS),
  severity: z.enum(SEVERITIES),
  account: account.nullable().describe("`null` for an item about the workspace as a whole."),
  subject: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("user"), id: text.nullable(), externalId: text.nullable() }),
      z.strictObject({ type: z.literal("feature"), name: text }),
      z.strictObject({ type: z.literal("trial_end"), at: moment }),
      z.strictObject({ type: z.literal("seats"), seats: count }),
      z.strictObject({ type: z.literal("attribute"), name: text }),
    ])
    .optional()
    .describe("What of the account it is about, where a kind can tell of several things."),
  title: text.describe("Text with names as senders gave them: never markup."),
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
  status: z.enum(["open", "resolved"]).describe("People's marks don't close an item."),
  dismissedAt: moment.nullable(),
  snoozedUntil: moment.nullable(),
  occurrence: count.min(1),
  modelVersion: z.literal(MODEL_VERSION),
});

export const inbox = z.strictObject({ ok, asOf, items: z.array(item), nextCursor });
export const marked = z.strictObject({ ok, item });

export const explainedHealth = health.extend({
  uncapped: score.nullable().describe("The score before caps."),
  coverage: z.number().min(0).max(1).describe("The share of the score's weight that could be measured."),
  stage: z.enum(STAGES),
  stageKnown: z.boolean().describe("False where the sender's word for the stage is not understood."),
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
  changes: z
    .array(z.strictObject({ component: text, points: z.number(), text }))
    .describe("Against seven days before."),
  missing: z
    .array(z.strictObject({ code: text, observed: z.number(), required: z.number(), text }))
    .describe("What is wanting for a score."),
});

export const accountDetails = accountSummary.extend({
  superseded: z.boolean().describe("An account of one whose user has another account by now."),
  health: explainedHealth.nullable(),
  history: z
    .array(z.strictObject({ date, score: score.nullable(), state, activeUsers: z.number().min(0) }))
    .max(90)
    .describe("The last 90 days judged, ascending."),
  users: z
    .array(z.strictObject({ id: text, externalId: text.nullable(), lastSeenAt: moment, activeDays: count }))
    .max(100)
    .describe("The 100 seen last of those active in 90 days."),
  topEvents: z
    .array(z.strictObject({ name: text, count: count.min(1), users: count, lastAt: moment }))
    .max(20)
    .describe("The 20 most frequent events of 28 days."),
  openItems: z.array(item).describe("Unresolved ones, those put aside too."),
});

export const oneAccount = z.strictObject({ ok, asOf, account: accountDetails });
