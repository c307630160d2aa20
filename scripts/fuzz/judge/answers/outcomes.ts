/** Accounts and the inbox with what the recompute concluded: docs/wire.md §13, §14. */
import * as z from "zod";

import { account, count, date, moment, nextCursor, text, window } from "./shapes.ts";

const confidence = z.enum(["low", "medium", "high"]);
const state = z.enum(["healthy", "watch", "at_risk", "insufficient_data", "churned", "stale"]);
const score = z.number().min(0).max(100);

const health = z.strictObject({
  score: score.nullable(),
  state,
  confidence: confidence.nullable(),
  provisional: z.boolean(),
  trend: z.number().nullable(),
  asOf: date,
  modelVersion: z.literal(1),
});

const told = account.extend({
  attributes: z.strictObject({
    stage: z.string().optional(),
    trialEndsAt: moment.optional(),
    plan: z.string().optional(),
    seats: count.optional(),
    mrr: z.number().min(0).optional(),
    currency: z.string().length(3).optional(),
  }),
  identity: z.strictObject({ company: text }).optional(),
  health: health.nullable(),
  firstSeenAt: moment,
  lastSeenAt: moment.nullable(),
});

export const accounts = z.strictObject({
  ok: z.literal(true),
  asOf: moment.nullable(),
  accounts: z.array(told),
  nextCursor,
});

const item = z.strictObject({
  id: z.string().regex(/^itm_/),
  kind: text,
  severity: z.enum(["low", "medium", "high", "critical"]),
  account: account.nullable(),
  subject: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("user"), id: text.nullable(), externalId: text.nullable() }),
      z.strictObject({ type: z.literal("feature"), name: text }),
      z.strictObject({ type: z.literal("trial_end"), at: moment }),
      z.strictObject({ type: z.literal("seats"), seats: count }),
      z.strictObject({ type: z.literal("attribute"), name: text }),
    ])
    .optional(),
  title: text,
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
  resolution: z.enum(["recovered", "changed", "expired", "silent", "churned", "superseded", "withdrawn"]).nullable(),
  dueAt: moment.optional(),
  suggestedAction: text,
  closesWhen: text,
  confidence,
  status: z.enum(["open", "resolved"]),
  dismissedAt: moment.nullable(),
  snoozedUntil: moment.nullable(),
  occurrence: count.min(1),
  modelVersion: z.literal(1),
});

export const inbox = z.strictObject({ ok: z.literal(true), asOf: moment.nullable(), items: z.array(item), nextCursor });
export const marked = z.strictObject({ ok: z.literal(true), item });

export const oneAccount = z.strictObject({
  ok: z.literal(true),
  asOf: moment.nullable(),
  account: told.extend({
    superseded: z.boolean(),
    health: health
      .extend({
        uncapped: score.nullable(),
        coverage: z.number().min(0).max(1),
        stage: z.enum(["trial", "active", "churned"]),
        stageKnown: z.boolean(),
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
        changes: z.array(z.strictObject({ component: text, points: z.number(), text })),
        missing: z.array(z.strictObject({ code: text, observed: z.number(), required: z.number(), text })),
      })
      .nullable(),
    history: z.array(z.strictObject({ date, score: score.nullable(), state, activeUsers: z.number().min(0) })).max(90),
    users: z
      .array(z.strictObject({ id: text, externalId: text.nullable(), lastSeenAt: moment, activeDays: count }))
      .max(100),
    topEvents: z.array(z.strictObject({ name: text, count: count.min(1), users: count, lastAt: moment })).max(20),
    openItems: z.array(item),
  }),
});
