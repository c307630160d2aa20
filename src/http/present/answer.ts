/** Presents answers to questions: days as dates, times in ISO 8601. */
import type { Answer, AskWindow, Evidence } from "../../core/ask/model.ts";
import { iso, isoDates, isoOrNull } from "../../edge/present/iso.ts";
import type { AnsweredQuestion } from "../../services/ask/answer-question.ts";
import type { answerBody } from "../schemas/questions.ts";
import type { ResponseBody } from "../schemas/registry.ts";

export function presentAnswer({ answer, freshness }: AnsweredQuestion): ResponseBody<typeof answerBody> {
  const common = {
    interpretation: answer.interpretation,
    window: answer.window && presentWindow(answer.window),
    freshness: {
      lastEventAt: isoOrNull(freshness.lastEventAt),
      lastRecomputeAt: isoOrNull(freshness.lastRecomputeAt),
    },
  };
  const body = answer.knows ? { ...common, ...presentKnown(answer) } : { ...common, ...presentUnknown(answer) };
  // The core's types also allow a portfolio as subject and `internal_check` as reason. Neither reaches a response.
  return body as ResponseBody<typeof answerBody>;
}

const presentKnown = ({ answer, value, evidence, confidence }: Extract<Answer, { knows: true }>) => ({
  ok: true,
  knows: true,
  answer,
  ...(value === undefined ? {} : { value }),
  evidence: evidence.map(presentEvidence),
  confidence,
  reason: null,
});

const presentUnknown = ({ reason, detail, candidates, nearestAnswerable }: Extract<Answer, { knows: false }>) => ({
  ok: true,
  knows: false,
  answer: null,
  evidence: [],
  confidence: null,
  reason,
  detail,
  ...(candidates && {
    candidates: candidates.map(({ type, id, externalId, name }) => ({
      type,
      id,
      externalId,
      ...(name == null ? {} : { name }),
    })),
  }),
  ...(nearestAnswerable === undefined ? {} : { nearestAnswerable }),
});

/** A window without words from the question is a default. */
const presentWindow = ({ phrase, ...days }: AskWindow) => ({ ...isoDates(days), phrase, defaulted: phrase === null });

const presentEvidence = ({ id, kind, measure, value, window, asOf }: Evidence) => ({
  id,
  kind,
  measure,
  value,
  ...(window && { window: isoDates(window) }),
  asOf: iso(asOf),
});
