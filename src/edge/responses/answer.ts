/** Answers to questions, with days as dates and times in ISO 8601: docs/wire/ask.md §15.1. */
import * as z from "zod";

import { EVIDENCE_KINDS, REFUSAL_REASONS } from "../../core/ask/model.ts";
import { querySchema } from "../../core/ask/query/model.ts";
import type { Entity } from "../../core/ask/query/result.ts";
import { whenText } from "../../core/ask/query/window-texts.ts";
import { iso, isoDates, isoOrNull } from "../../services/present/iso.ts";
import { type Answer, MATCHES } from "../../services/ask/run-query.ts";
import { response, type ResponseBody } from "../named-schemas.ts";
import { moment, ok, text, window } from "./fields.ts";

const entity = {
  type: z.enum(["account", "user", "feature"]),
  id: text,
  externalId: text,
  name: text.optional(),
};

const interpretation = response(
  "Interpretation",
  z.strictObject({
    intent: text,
    measure: text,
    subject: z
      .strictObject({ ...entity, matchedBy: z.enum(MATCHES) })
      .nullable()
      .describe("`null` for a question about all accounts."),
    restated: text.describe("The query in plain English."),
  }),
);

const askWindow = window
  .extend({
    phrase: text.nullable().describe("The window in words."),
    defaulted: z.boolean().describe("True if the question names no window."),
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

/** The fields of all answers. */
const commonFields = {
  ok,
  window: askWindow,
  freshness: z.strictObject({ lastEventAt: moment.nullable(), lastRecomputeAt: moment.nullable() }),
  query: querySchema.optional().describe("The query that was answered. Sending it gives the same answer."),
};

const rows = z.array(z.record(z.string(), z.unknown())).max(100);

export const known = response(
  "KnownAnswer",
  z.strictObject({
    ...commonFields,
    knows: z.literal(true),
    answer: text.describe("The answer in one or more sentences."),
    value: z.union([z.number(), z.string(), z.boolean(), rows]).optional().describe("The answer as data."),
    interpretation,
    evidence: z
      .array(evidence)
      .min(1)
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "has two of an id")
      .describe("Evidence for every number, name and date in the answer."),
    confidence: z.enum(["high", "medium"]),
    reason: z.null(),
  }),
);

export const unknown = response(
  "UnknownAnswer",
  z.strictObject({
    ...commonFields,
    knows: z.literal(false),
    answer: z.null(),
    interpretation: interpretation.nullable(),
    evidence: z.array(evidence).max(0),
    confidence: z.null(),
    reason: z.enum(REFUSAL_REASONS),
    detail: text.describe("Why there is no answer, as a sentence."),
    candidates: z
      .array(z.strictObject(entity))
      .min(1)
      .max(10)
      .optional()
      .describe("Accounts, users or features that the question may refer to."),
    options: z
      .array(
        z.strictObject({
          restated: text,
          query: querySchema,
          leftOut: z.array(text).min(1).optional().describe("The words that this question leaves out, as typed."),
        }),
      )
      .min(1)
      .max(4)
      .optional()
      .describe("What the question may mean, if it can be read in several ways or has words without a meaning."),
    nearestAnswerable: text.optional().describe("A similar question that has an answer."),
  }),
);

export const answerBody = response("Answer", z.discriminatedUnion("knows", [known, unknown]));

export type AnswerBody = z.infer<typeof answerBody>;

export function presentAnswer(answered: Answer): ResponseBody<typeof answerBody> {
  const { written, asked, subject, freshness: times, options, candidates, nearestAnswerable } = answered;
  const common = {
    ok: true as const,
    window: presentWindow(answered),
    freshness: { lastEventAt: isoOrNull(times.lastEventAt), lastRecomputeAt: isoOrNull(times.lastRecomputeAt) },
    ...(asked && { query: asked.query }),
  };
  const read = asked && {
    intent: asked.query.show,
    measure: asked.query.measure ?? asked.query.find,
    subject: subject && { ...presentEntity(subject.entity), matchedBy: subject.matchedBy },
    restated: asked.restated,
  };
  if ("refusal" in written)
    return {
      ...common,
      knows: false,
      answer: null,
      interpretation: read,
      evidence: [],
      confidence: null,
      ...written.refusal,
      ...(options && { options }),
      ...(candidates && { candidates: candidates.map(presentEntity) }),
      ...(nearestAnswerable && { nearestAnswerable: nearestAnswerable.restated }),
    };
  if (read === null) throw new Error("An answer has no query.");
  const found = written.evidence.map(({ window: counted, asOf, ...rest }) => ({
    ...rest,
    ...(counted && { window: isoDates(counted) }),
    asOf: iso(asOf),
  }));
  return { ...common, ...written, knows: true, interpretation: read, evidence: found, reason: null };
}

const presentEntity = ({ type, id, externalId, name }: Entity) => ({
  type,
  id,
  externalId,
  ...(name !== null && { name }),
});

/** A query that names no window counts in the default one. */
function presentWindow({ window: days, asked }: Answer) {
  const phrase = asked?.query.window === undefined ? null : whenText(asked.query.window);
  return days && { ...isoDates(days), phrase, defaulted: phrase === null };
}
