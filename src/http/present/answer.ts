/** Presents answers to questions: days as dates, times in ISO 8601. */
import type { Answer, AskWindow, Evidence, Interpretation } from "../../core/ask/model.ts";
import { iso, isoDates, isoOrNull } from "../../edge/present/iso.ts";
import type { AnsweredQuestion } from "../../services/ask/answer-question.ts";
import type { answerBody } from "../schemas/questions.ts";
import type { ResponseBody } from "../schemas/registry.ts";

export function presentAnswer({ answer, freshness }: AnsweredQuestion): ResponseBody<typeof answerBody> {
  const common = {
    ok: true as const,
    window: answer.window && presentWindow(answer.window),
    freshness: {
      lastEventAt: isoOrNull(freshness.lastEventAt),
      lastRecomputeAt: isoOrNull(freshness.lastRecomputeAt),
    },
  };
  return answer.knows ? { ...common, ...presentKnown(answer) } : { ...common, ...presentUnknown(answer) };
}

const presentKnown = ({ answer, value, interpretation, evidence, confidence }: Extract<Answer, { knows: true }>) => ({
  knows: true as const,
  answer,
  ...(value === undefined ? {} : { value }),
  interpretation: presentInterpretation(interpretation),
  evidence: evidence.map(presentEvidence),
  confidence,
  reason: null,
});

const presentUnknown = ({
  interpretation,
  reason,
  detail,
  candidates,
  nearestAnswerable,
}: Extract<Answer, { knows: false }>) => ({
  knows: false as const,
  answer: null,
  interpretation: interpretation && presentInterpretation(interpretation),
  evidence: [] as const,
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

/** The portfolio as a whole is not a subject: the question is about all accounts. */
const presentInterpretation = ({ subject, ...rest }: Interpretation) => ({
  ...rest,
  subject: subject === null || subject.type === "portfolio" ? null : { ...subject, type: subject.type },
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
