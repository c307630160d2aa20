/** Finds the most specific reason why a question has no answer. */
import type { Reading } from "../fragments/readings.ts";
import type { Word } from "../words/words.ts";
import type { RefusalRule, RefusalMatch, ReadContext } from "./reasons.ts";
import * as reasons from "./reasons.ts";

/** The order of reasons: the first that applies is told. */
const ORDER: readonly RefusalRule[] = [
  reasons.hasKeyword("out_of_scope"),
  reasons.definition,
  reasons.task,
  reasons.severalNames,
  reasons.unknownSubject,
  reasons.cause,
  reasons.hasKeyword("opinion"),
  reasons.judgment,
  reasons.hasKeyword("prediction"),
  reasons.hasKeyword("causal_claim"),
  reasons.hasKeyword("unmeasured_attribute"),
  reasons.loggedIn,
  reasons.missingSubject,
  reasons.content,
  reasons.stock,
  reasons.mixedEvent,
  reasons.unknownEvent,
  reasons.unknownAttribute,
  reasons.tooEarly,
];

/** Reasons not to answer, even if there is a query. */
const ALWAYS: ReadonlySet<RefusalRule> = new Set([
  reasons.task,
  reasons.severalNames,
  reasons.unknownSubject,
  reasons.judgment,
  reasons.loggedIn,
  reasons.content,
  reasons.stock,
  reasons.mixedEvent,
]);

/** @param isRead whether the question has a query */
export function refusalOf(
  text: string,
  words: readonly Word[],
  readings: readonly Reading[],
  known: ReadContext,
  isRead: boolean,
): RefusalMatch | null {
  const [best] = readings.toSorted((a, b) => a.unknown.length - b.unknown.length);
  if (best === undefined) return null;
  const said = best.fragments.flatMap((fragment) => (fragment.type === "reason" ? [fragment.reason] : []));
  const question = { text, words, readings, best, keywordReasons: new Set(said), ...known };
  for (const found of ORDER) {
    const refusal = isRead && !ALWAYS.has(found) ? null : found(question);
    if (refusal !== null) return refusal;
  }
  return null;
}

const MAX_LEFT_OUT = 3;

const REVERSING_WORDS = new Set(
  "but unless instead rather almost nearly barely hardly half double twice until till hence neither none never without beyond".split(
    " ",
  ),
);

/** Whether a question can be proposed without its unknown words: they are few, and none reverses the meaning. */
export const canLeaveOut = (words: readonly Word[], { unknown }: Reading): boolean =>
  unknown.length <= MAX_LEFT_OUT &&
  unknown.every(
    (at) =>
      !REVERSING_WORDS.has(words[at]?.folded ?? "") &&
      !/^\p{Lu}/u.test(words[at]?.raw ?? "") &&
      !/^(?:at|by|for|from|in|of|on|with)$/.test(words[at - 1]?.folded ?? ""),
  );
