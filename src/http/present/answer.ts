/** An answer as the wire writes it: days as dates, moments in ISO 8601, and `null` where there is nothing. */
import type { Answer, AskWindow, Evidence } from "../../core/ask/model.ts";
import type { AnsweredQuestion } from "../../services/ask/answer-question.ts";
import { iso, isoDates, isoOrNull } from "../../edge/present/iso.ts";

export function presentAnswer({ answer, freshness }: AnsweredQuestion) {
  return {
    ok: true,
    knows: answer.knows,
    answer: answer.knows ? answer.answer : null,
    ...(answer.knows && answer.value !== undefined ? { value: answer.value } : {}),
    interpretation: answer.interpretation,
    window: answer.window && presentWindow(answer.window),
    evidence: answer.knows ? answer.evidence.map(presentEvidence) : [],
    freshness: {
      lastEventAt: isoOrNull(freshness.lastEventAt),
      lastRecomputeAt: isoOrNull(freshness.lastRecomputeAt),
    },
    confidence: answer.knows ? answer.confidence : null,
    reason: answer.knows ? null : answer.reason,
    ...(answer.knows ? {} : presentRefusal(answer)),
  };
}

/** A window without words of the question's is one that was taken for want of any. */
const presentWindow = ({ phrase, ...days }: AskWindow) => ({ ...isoDates(days), phrase, defaulted: phrase === null });

const presentEvidence = ({ id, kind, measure, value, window, asOf }: Evidence) => ({
  id,
  kind,
  measure,
  value,
  ...(window && { window: isoDates(window) }),
  asOf: iso(asOf),
});

const presentRefusal = ({ detail, candidates, nearestAnswerable }: Extract<Answer, { knows: false }>) => ({
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
