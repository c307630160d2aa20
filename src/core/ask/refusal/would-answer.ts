/** Whether a question would be answered if some of its words were the name of something, which nobody knows yet. */
import type { Entity, Hints, SubjectType } from "../model.ts";
import type { Mention } from "../naming/mentions.ts";
import type { Span } from "../question/spans.ts";
import type { Question } from "../question/tokens.ts";
import { matchesOf } from "../reading/match.ts";
import { readUnits } from "../reading/read-units.ts";
import type { Reading } from "../reading/units.ts";
import type { Clock } from "../time/time-context.ts";

/** A name that is made up, and what it would be of. */
export type MadeUp = readonly [SubjectType, Span];

/** Stands for what would have the name. */
export const nobody = (type: SubjectType, id = "?"): Entity => ({
  type,
  number: 0,
  id,
  externalId: type === "feature" ? "un.known" : id,
  name: null,
});

/** @param reading what is known of the question */
export function isAnsweredWith(
  question: Question,
  reading: Reading,
  names: readonly MadeUp[],
  hints: Hints,
  clock: Clock,
): boolean {
  const mentions = names.map(([type, span], at): Mention => {
    const candidate = { entity: nobody(type, `?${at}`), match: "external_id" as const };
    return { span, said: "", byType: { [type]: [candidate] }, isOptional: false };
  });
  const choice = {
    mentions: [...reading.mentions, ...mentions],
    plans: reading.units.flatMap((unit) =>
      unit.kind === "plan"
        ? [{ plan: unit.plan, isExact: unit.isExact, span: { parts: [{ from: unit.at, to: unit.at }] } }]
        : [],
    ),
    corrections: new Map(
      reading.units.flatMap((unit) =>
        unit.kind === "word" && unit.word !== "" ? [[unit.at, unit.word] as const] : [],
      ),
    ),
    areTimesApart: false,
  };
  return matchesOf(readUnits(question, choice, clock).units, hints, clock).length > 0;
}
