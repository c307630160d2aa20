/** Answers to questions: docs/wire.md §15 and docs/ask.md §15.1. */
import * as z from "zod";

import { EVIDENCE_KINDS, MATCHES, REASONS, SUBJECT_TYPES } from "../../../core/ask/model.ts";
import { moment, ok, text, window } from "./shapes.ts";

const entityType = z.enum(SUBJECT_TYPES);

export const interpretation = z.strictObject({
  intent: text,
  measure: text,
  subject: z
    .strictObject({
      type: entityType,
      id: text,
      externalId: text,
      name: text.optional(),
      matchedBy: z.enum(MATCHES),
    })
    .nullable()
    .describe("`null` for a question about all accounts."),
  feature: text.optional(),
  compare: text.optional(),
  limit: z.int().min(1).max(100).optional(),
  restated: text.describe("The question as it was understood."),
});

const askWindow = window
  .extend({
    phrase: text.nullable().describe("The words it was read from."),
    defaulted: z.boolean().describe("The question named no time."),
  })
  .refine(({ from, to }) => from <= to, "ends before it begins")
  .refine(({ phrase, defaulted }) => defaulted === (phrase === null), "is by default or has words of its own")
  .nullable()
  .describe("The days that the answer is about, both included; `null` for what has none.");

export const evidence = z.strictObject({
  id: text,
  kind: z.enum(EVIDENCE_KINDS),
  measure: text,
  value: z.union([z.number(), z.string(), z.boolean(), z.null()]),
  window: window.optional(),
  asOf: moment,
});

const rows = z.array(z.record(z.string(), z.unknown())).max(100);

const freshness = z.strictObject({ lastEventAt: moment.nullable(), lastRecomputeAt: moment.nullable() });

/** `internal_check` is documented as a fault of ours: none may be met. */
const reason = z.enum(REASONS).exclude(["internal_check"]);

export const known = z.strictObject({
  ok,
  knows: z.literal(true),
  answer: text.describe("A sentence, or several."),
  value: z.union([z.number(), z.string(), z.boolean(), rows]).optional().describe("What the answer says, as data."),
  interpretation,
  window: askWindow,
  evidence: z
    .array(evidence)
    .min(1)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "has two of an id")
    .describe("Every number, name and date of the answer."),
  freshness,
  confidence: z.enum(["high", "medium"]),
  reason: z.null(),
});

export const unknown = z.strictObject({
  ok,
  knows: z.literal(false),
  answer: z.null(),
  interpretation: interpretation.nullable(),
  window: askWindow,
  evidence: z.array(evidence).max(0),
  freshness,
  confidence: z.null(),
  reason,
  detail: text.describe("Why there is no answer, in a sentence."),
  candidates: z
    .array(z.strictObject({ type: entityType, id: text, externalId: text, name: text.optional() }))
    .min(1)
    .max(10)
    .optional()
    .describe("Whom the question may have meant."),
  nearestAnswerable: text.optional().describe("A question near to it that has an answer."),
});

export const answerBody = z.discriminatedUnion("knows", [known, unknown]);

export type AnswerBody = z.infer<typeof answerBody>;
