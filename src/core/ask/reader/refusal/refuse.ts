/** Finds the most specific reason why a question has no answer. */
import type { Tiling } from "../fragments/tile.ts";
import type { Word } from "../words/words.ts";
import {
  type Case,
  cause,
  content,
  definition,
  type Found,
  judgment,
  type Known,
  loggedIn,
  missingSubject,
  mixedEvent,
  severalNames,
  task,
  told,
  tooEarly,
  unknownAttribute,
  unknownEvent,
  unknownSubject,
} from "./reasons.ts";

/** The order of reasons: the first that applies is told. */
const ORDER: readonly Case[] = [
  told("out_of_scope"),
  definition,
  task,
  severalNames,
  unknownSubject,
  cause,
  told("opinion"),
  judgment,
  told("prediction"),
  told("causal_claim"),
  told("unmeasured_attribute"),
  loggedIn,
  missingSubject,
  content,
  mixedEvent,
  unknownEvent,
  unknownAttribute,
  tooEarly,
];

/** Reasons not to answer, even if there is a query. */
const ALWAYS: ReadonlySet<Case> = new Set([
  task,
  severalNames,
  unknownSubject,
  judgment,
  loggedIn,
  content,
  mixedEvent,
]);

/** @param isRead whether the question has a query */
export function refusalOf(
  text: string,
  words: readonly Word[],
  tilings: readonly Tiling[],
  known: Known,
  isRead: boolean,
): Found | null {
  const [best] = tilings.toSorted((a, b) => a.unknown.length - b.unknown.length);
  if (best === undefined) return null;
  const reasons = best.fragments.flatMap((fragment) => (fragment.type === "reason" ? [fragment.reason] : []));
  const question = { text, words, tilings, best, told: new Set(reasons), ...known };
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
export const canLeaveOut = (words: readonly Word[], { unknown }: Tiling): boolean =>
  unknown.length <= MAX_LEFT_OUT &&
  unknown.every(
    (at) =>
      !REVERSING_WORDS.has(words[at]?.folded ?? "") &&
      !/^\p{Lu}/u.test(words[at]?.raw ?? "") &&
      !/^(?:at|by|for|from|in|of|on|with)$/.test(words[at - 1]?.folded ?? ""),
  );
