/** Answers to questions: docs/wire.md §15 and docs/ask.md §15.1. */
import * as z from "zod";

import { EVIDENCE_KINDS, MATCHES, REASONS, SUBJECT_TYPES } from "../../core/ask/model.ts";
import { response } from "./registry.ts";
import { moment, ok, text, window } from "./shapes.ts";

const entityType = z.enum(SUBJECT_TYPES);

export const interpretation = response(
  "Interpretation",
  z.strictObject({
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
    restated: text.describe("The question as the service understood it."),
  }),
);

const askWindow = window
  .extend({
    phrase: text.nullable().describe("The words of the question that name this window."),
    defaulted: z.boolean().describe("True when the question names no window."),
  })
  .refine(({ from, to }) => from <= to, "ends before it begins")
  .refine(({ phrase, defaulted }) => defaulted === (phrase === null), "is by default or has words of its own")
  .nullable()
  .describe("The days that the answer covers, both included; `null` if the answer has no window.");

export const evidence = response(
  "Evidence",
  z.strictObject({
    id: text,
    kind: z.enum(EVIDENCE_KINDS),
    measure: text,
    value: z.union([z.number(), z.string(), z.boolean(), z.null()]),
    window: window.optional(),
    asOf: moment,
  }),
);

const rows = z.array(z.record(z.string(), z.unknown())).max(100);

const freshness = z.strictObject({ lastEventAt: moment.nullable(), lastRecomputeAt: moment.nullable() });

/** `internal_check` is a fault of the service, so tests refuse it and the API's description omits it. */
const reason = z
  .enum(REASONS)
  .refine((code): boolean => code !== "internal_check", "is a fault of the service")
  .meta({ enum: REASONS.filter((code) => code !== "internal_check") });

export const known = response(
  "KnownAnswer",
  z.strictObject({
    ok,
    knows: z.literal(true),
    answer: text.describe("The answer in one or more sentences."),
    value: z.union([z.number(), z.string(), z.boolean(), rows]).optional().describe("The answer as data."),
    interpretation,
    window: askWindow,
    evidence: z
      .array(evidence)
      .min(1)
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "has two of an id")
      .describe("Evidence for every number, name and date in the answer."),
    freshness,
    confidence: z.enum(["high", "medium"]),
    reason: z.null(),
  }),
);

export const unknown = response(
  "UnknownAnswer",
  z.strictObject({
    ok,
    knows: z.literal(false),
    answer: z.null(),
    interpretation: interpretation.nullable(),
    window: askWindow,
    evidence: z.array(evidence).max(0),
    freshness,
    confidence: z.null(),
    reason,
    detail: text.describe("Why there is no answer, as a sentence."),
    candidates: z
      .array(z.strictObject({ type: entityType, id: text, externalId: text, name: text.optional() }))
      .min(1)
      .max(10)
      .optional()
      .describe("Accounts, users or features that the question may refer to."),
    nearestAnswerable: text.optional().describe("A similar question that has an answer."),
  }),
);

export const answerBody = response("Answer", z.discriminatedUnion("knows", [known, unknown]));

export type AnswerBody = z.infer<typeof answerBody>;
