/** The response as docs/wire.md §15 and docs/ask.md §15.1 describe it, written from there and not from the code. */
import * as z from "zod";

const dateOnly = z.iso.date();
const moment = z.iso.datetime();
const days = { from: dateOnly, to: dateOnly };
const entityType = z.enum(["account", "user", "feature"]);
const text = z.string().min(1);

const interpretation = z.strictObject({
  intent: text,
  measure: text,
  subject: z
    .strictObject({
      type: entityType,
      id: text,
      externalId: text,
      name: text.optional(),
      matchedBy: z.enum(["hint", "internal_id", "external_id", "name", "folded", "spoken", "fuzzy"]),
    })
    .nullable(),
  feature: text.optional(),
  compare: text.optional(),
  limit: z.int().min(1).max(100).optional(),
  restated: text,
});

const window = z
  .strictObject({ ...days, phrase: text.nullable(), defaulted: z.boolean() })
  .refine(({ from, to }) => from <= to, "ends before it begins")
  .refine(({ phrase, defaulted }) => defaulted === (phrase === null), "is by default or has words of its own");

const evidence = z.strictObject({
  id: text,
  kind: z.enum(["rollup", "event", "attribute", "health", "item", "trait"]),
  measure: text,
  value: z.union([z.number(), z.string(), z.boolean(), z.null()]),
  window: z.strictObject(days).optional(),
  asOf: moment,
});

const rows = z.array(z.record(z.string(), z.unknown())).max(100);

const freshness = z.strictObject({ lastEventAt: moment.nullable(), lastRecomputeAt: moment.nullable() });

const known = z.strictObject({
  ok: z.literal(true),
  knows: z.literal(true),
  answer: text,
  value: z.union([z.number(), z.string(), z.boolean(), rows]).optional(),
  interpretation,
  window: window.nullable(),
  evidence: z
    .array(evidence)
    .min(1)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "has two of an id"),
  freshness,
  confidence: z.enum(["high", "medium"]),
  reason: z.null(),
});

const unknown = z.strictObject({
  ok: z.literal(true),
  knows: z.literal(false),
  answer: z.null(),
  interpretation: interpretation.nullable(),
  window: window.nullable(),
  evidence: z.tuple([]),
  freshness,
  confidence: z.null(),
  reason: z.enum([
    "no_such_subject",
    "no_such_event",
    "ambiguous_subject",
    "no_data_in_window",
    "insufficient_history",
    "unmeasured_attribute",
    "mixed_currency",
    "stale_data",
    "causal_claim",
    "prediction",
    "opinion",
    "out_of_scope",
    "unresolved_words",
    // `internal_check` is documented as a fault of ours: none may be met.
  ]),
  detail: text,
  candidates: z
    .array(z.strictObject({ type: entityType, id: text, externalId: text, name: text.optional() }))
    .min(1)
    .max(10)
    .optional(),
  nearestAnswerable: text.optional(),
});

export const answerBody = z.discriminatedUnion("knows", [known, unknown]);

export type AnswerBody = z.infer<typeof answerBody>;
