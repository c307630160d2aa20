/**
 * The verdict on an answer. It is wrong where it is about something else than was asked, or says anything that is not
 * so; and any answer to what can't be answered is wrong. Silence is never wrong: it costs coverage.
 */
import { isoOf } from "../calendar.ts";
import type { Case, Expected, Truth } from "../cases/model.ts";
import type { Asked, Response200 } from "../service/ask.ts";
import { faultOfBacking } from "./backing.ts";
import { faultOfEvidence } from "./evidence.ts";
import { saysDay } from "./reading.ts";
import { faultOf } from "./truth.ts";

export type Outcome = "right" | "silent" | "wrong" | "right_reason" | "other_reason";

export interface Judged {
  asked: Case;
  got: Asked;
  outcome: Outcome;
  /** Of a wrong answer. */
  fault: string | null;
}

export function judge(asked: Case, got: Asked): Judged {
  const { response } = got;
  if (response === null) return { asked, got, outcome: "wrong", fault: `the status is ${got.status}` };
  const { expected } = asked;
  if (response.knows) {
    const fault = expected.knows ? faultOfAnswer(asked, expected, response) : "it can't be answered";
    return { asked, got, outcome: fault === null ? "right" : "wrong", fault };
  }
  if (expected.knows) return { asked, got, outcome: "silent", fault: null };
  const isRight = expected.reasons.includes(response.reason ?? "");
  return { asked, got, outcome: isRight ? "right_reason" : "other_reason", fault: null };
}

function faultOfAnswer(
  { world, body }: Case,
  expected: Extract<Expected, { knows: true }>,
  response: Response200,
): string | null {
  const { interpretation, window, evidence } = response;
  if (interpretation === null) return "there is no interpretation";
  const { subject, measure } = interpretation;
  if (!expected.measures.includes(measure)) return `it is about ${measure}`;
  if (!isSubject(expected, subject)) return `it is about ${subject?.externalId ?? "no subject"}`;
  const { span } = expected;
  if (span !== null && (window?.from !== isoOf(span.from) || window.to !== isoOf(span.to))) {
    return `its window is ${window?.from ?? "none"} to ${window?.to ?? "none"}, not ${isoOf(span.from)} to ${isoOf(span.to)}`;
  }
  if (span !== null && ![span.from, span.to].some((day) => saysDay(response.answer ?? "", day))) {
    return "the sentence does not state its window";
  }
  if (evidence.length === 0) return "there is no evidence";
  const { truth } = expected;
  return (
    faultOf(truth, response) ??
    faultOfEvidence(world, response) ??
    faultOfBacking(response, body.question, sentencesOf(truth))
  );
}

/** What the reading operations say, word for word: it is for `npm run evaluate`. */
function sentencesOf(truth: Truth): string[] {
  if (truth.kind === "items") return truth.items.map(({ title }) => title);
  return truth.kind === "sentences" ? [...truth.texts] : [];
}

type Subject = NonNullable<Response200["interpretation"]>["subject"];

function isSubject({ subject, truth }: Extract<Expected, { knows: true }>, got: Subject): boolean {
  if (subject === null) return got === null || got.type === "portfolio";
  if (got === null) return false;
  // Of two that are compared, either may be the subject.
  const others = truth.kind === "pair" ? (truth.labels ?? []).flat() : [];
  return [...subject, ...others].includes(got.externalId);
}
