/** What "it", "they" and "this account" stand for. */
import { USE_VERBS } from "../lexicon/grammar-words.ts";
import type { Pointing } from "../lexicon/lexicon.ts";
import { type Unit, wordAt } from "./units.ts";

const THINGS: ReadonlySet<string> = new Set("it this that them".split(" "));
/** They may point to what is named after them. */
const OWNERS: ReadonlySet<string> = new Set("its their".split(" "));

/**
 * Whether there is something that a pointing word stands for. What is used ("did they use it") is a feature; the
 * others stand for what the hints tell, or for what was named before.
 *
 * @param filled what the rule is about
 * @param usesHint whether a hint tells some of it
 */
export function canPoint(
  units: readonly Unit[],
  filled: readonly Pointing[],
  usesHint: boolean,
  target: Pointing,
  at: number,
): boolean {
  if (target !== "any") return filled.includes(target);
  const word = wordAt(units, at);
  if (THINGS.has(word) && USE_VERBS.has(wordAt(units, at - 1))) return filled.includes("feature");
  if (usesHint) return true;
  // "What are they using at Acme": who is meant may be named after it, and is no feature.
  if (word === "they") return units.some((unit) => unit.kind === "name" && unit.mention.byType.feature === undefined);
  const places = OWNERS.has(word) ? units : units.slice(0, at);
  return filled.length > 0 && places.some(({ kind }) => kind === "name");
}
