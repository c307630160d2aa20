/**
 * Why a question that nothing fits is not answered. First it is seen whether it would fit if an unknown name in it were
 * known; then what its words tell of it; and what is left is words that nothing could be done with.
 */
import { isLexiconWord } from "../lexicon/lexicon.ts";
import type { Found, Hints, Refusal } from "../model.ts";
import type { Question } from "../question/tokens.ts";
import type { Reading, Unit } from "../reading/units.ts";
import type { Clock } from "../time/time-context.ts";
import { nearestTo } from "./nearest.ts";
import { shortened } from "./shortened.ts";
import { detailOf, reasonToldBy } from "./told-reasons.ts";
import { unknownName } from "./unknown-names.ts";

/** @param readings those that are likeliest first @param found what the workspace knows by names near those of the question */
export function refusalOf(
  question: Question,
  readings: readonly Reading[],
  found: Found,
  hints: Hints,
  clock: Clock,
): Refusal {
  const [reading] = readings;
  if (reading === undefined || question.tokens.length === 0) {
    return { reason: "unresolved_words", detail: "The question has no words." };
  }
  const unknown = unknownName(question, reading, found, hints, clock);
  if (unknown !== null) return unknown;
  const told = reasonToldBy(question, reading, hints);
  const near = nearestTo(question, reading.units, hints, clock);
  if (told !== null) return { reason: told, detail: detailOf(told, reading.units), ...near.said };
  return { reason: "unresolved_words", detail: unresolved(question, reading.units, near.dropped), ...near.said };
}

function unresolved({ tokens }: Question, units: readonly Unit[], dropped: readonly number[]): string {
  const leftOver =
    dropped.length > 0
      ? dropped
      : units.flatMap((unit) => (unit.kind === "word" && !isLexiconWord(unit.word) ? [unit.at] : []));
  const words = leftOver.map((at) => tokens[at]?.raw ?? "").join(", ");
  return words === "" ? "The question could not be understood." : `Not understood: ${shortened(words)}.`;
}
