/** Answers to questions, with days as dates and times in ISO 8601: docs/wire.md §15 and docs/ask.md §15.1. */
import * as z from "zod";

import {
  type AskWindow,
  EVIDENCE_KINDS,
  type Interpretation,
  MATCHES,
  REASONS,
  SUBJECT_TYPES,
} from "../../core/ask/model.ts";
import { query } from "../../core/ask/query/model.ts";
import { iso, isoDates, isoOrNull } from "../../edge/present/iso.ts";
import type { AnsweredQuestion } from "../../services/ask/answer-question.ts";
import { response, type ResponseBody } from "../named-schemas.ts";
import { moment, ok, text, window } from "./fields.ts";

const entityType = z.enum(SUBJECT_TYPES);

const interpretation = response(
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

const evidence = response(
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

/** In the answer to a query, and in that to a question that was read as one. */
const asked = query.optional().describe("The query that was answered.");

const rows = z.array(z.record(z.string(), z.unknown())).max(100);

const freshness = z.strictObject({ lastEventAt: moment.nullable(), lastRecomputeAt: moment.nullable() });

/** `internal_check` is a fault of the service, so tests refuse it and the API's description omits it. */
const reason = z
  .enum(REASONS)
  .refine((code): boolean => code !== "internal_check", "is a fault of the service")
  .meta({ enum: REASONS.filter((code) => code !== "internal_check") });

const known = response(
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
    query: asked,
  }),
);

const unknown = response(
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
    query: asked,
    nearestAnswerable: text.optional().describe("A similar question that has an answer."),
  }),
);

export const answerBody = response("Answer", z.discriminatedUnion("knows", [known, unknown]));

export type AnswerBody = z.infer<typeof answerBody>;

export function presentAnswer({ answer: given, freshness: times }: AnsweredQuestion): ResponseBody<typeof answerBody> {
  const common = {
    ok: true as const,
    window: given.window && presentWindow(given.window),
    freshness: { lastEventAt: isoOrNull(times.lastEventAt), lastRecomputeAt: isoOrNull(times.lastRecomputeAt) },
  };
  if (given.knows) {
    return {
      ...common,
      knows: true,
      answer: given.answer,
      ...(given.value === undefined ? {} : { value: given.value }),
      interpretation: presentInterpretation(given.interpretation),
      evidence: given.evidence.map(({ window: days, asOf, ...found }) => ({
        ...found,
        ...(days && { window: isoDates(days) }),
        asOf: iso(asOf),
      })),
      confidence: given.confidence,
      reason: null,
    };
  }
  return {
    ...common,
    knows: false,
    answer: null,
    interpretation: given.interpretation && presentInterpretation(given.interpretation),
    evidence: [],
    confidence: null,
    reason: given.reason,
    detail: given.detail,
    ...(given.candidates && {
      candidates: given.candidates.map(({ type, id, externalId, name }) => ({
        type,
        id,
        externalId,
        ...(name == null ? {} : { name }),
      })),
    }),
    ...(given.nearestAnswerable === undefined ? {} : { nearestAnswerable: given.nearestAnswerable }),
  };
}

/** The portfolio as a whole is not a subject: the question is about all accounts. */
const presentInterpretation = ({ subject, ...rest }: Interpretation) => ({
  ...rest,
  subject: subject === null || subject.type === "portfolio" ? null : { ...subject, type: subject.type },
});

/** A window without words from the question is a default. */
const presentWindow = ({ phrase, ...days }: AskWindow) => ({ ...isoDates(days), phrase, defaulted: phrase === null });
