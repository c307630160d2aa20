/** Finds the most specific reason why a question has no answer. */
import type { Reading } from "../fragments/readings.ts";
import { setOf, type Word } from "../words/words.ts";
import type { Vocabulary } from "../words/vocabulary.ts";
import type { RefusalMatch, RefusalRule } from "./reasons.ts";
import * as reasons from "./reasons.ts";

/** The first rule that applies gives the reason. Those with `always` apply even if there is a query. */
const ORDER: readonly (readonly [rule: RefusalRule, always?: "always"])[] = [
  [reasons.hasKeyword("out_of_scope")],
  [reasons.definition],
  [reasons.task, "always"],
  [reasons.severalNames, "always"],
  [reasons.unknownSubject, "always"],
  [reasons.cause],
  [reasons.hasKeyword("opinion")],
  [reasons.judgment, "always"],
  [reasons.hasKeyword("prediction")],
  [reasons.hasKeyword("causal_claim")],
  [reasons.hasKeyword("unmeasured_attribute")],
  // Logins aren't recorded, and people who were active may not have logged in.
  [reasons.hasKeyword("no_such_event"), "always"],
  [reasons.missingSubject],
  [reasons.eventContent, "always"],
  [reasons.inventory, "always"],
  [reasons.mixedEvent, "always"],
  [reasons.unknownEvent],
  [reasons.unknownAttribute],
  [reasons.tooEarly],
];

/** @param isRead whether the question has a query */
export function refusalOf(
  text: string,
  words: readonly Word[],
  readings: readonly Reading[],
  known: Vocabulary,
  isRead: boolean,
): RefusalMatch | null {
  const [best] = readings.toSorted((a, b) => a.unknown.length - b.unknown.length);
  if (best === undefined) return null;
  const said = best.fragments.flatMap((fragment) => (fragment.type === "reason" ? [fragment.reason] : []));
  const question = { text, words, readings, best, keywordReasons: new Set(said), ...known };
  for (const [rule, always] of ORDER) {
    const refusal = isRead && always === undefined ? null : rule(question);
    if (refusal !== null) return refusal;
  }
  return null;
}

const MAX_LEFT_OUT = 3;

const REVERSING_WORDS = setOf(
  "but unless instead rather almost nearly barely hardly half double twice until till hence neither none never without beyond",
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
