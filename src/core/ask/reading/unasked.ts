/** Questions for what no rule tells, whatever their words fit: commands, requests for advice, and what the vendor did. */
import { QUESTION_AUXILIARIES } from "../lexicon/grammar-words.ts";
import { isFrameWord, phrasesAt } from "../lexicon/lexicon.ts";
import { type Unit, wordAt, wordsFrom } from "./units.ts";

const ADVISERS: ReadonlySet<string> = new Set("do can could should would might may must to".split(" "));
const ADVISED: ReadonlySet<string> = new Set("we i you one".split(" "));
const VENDOR: ReadonlySet<string> = new Set("we i you".split(" "));
const PAID: ReadonlySet<string> = new Set(
  "pay pays paid send sent give gave sell sold bill billed charge charged owe".split(" "),
);

/** "Delete acme", "increase the seats of acme": what begins with a command asks nothing. */
export function isCommand(units: readonly Unit[]): boolean {
  const at = units.findIndex((unit) => unit.kind !== "word" || !isFrameWord(unit.word));
  const words = wordsFrom(units, at);
  return words[1] !== "in" && phrasesAt(words, 0).some(({ refusals }) => refusals.includes("command"));
}

/** "How can we increase it", "how to use it": not how much, but by what means. */
export function asksForAdvice(units: readonly Unit[]): boolean {
  return units.some((_, at) => {
    const [word, next = "", then = "", last = ""] = wordsFrom(units, at);
    if (word !== "how") return false;
    return next === "to" || (ADVISERS.has(next) && ADVISED.has(then) && !["know", "have"].includes(last));
  });
}

/** "How many reports did we export for acme", "how much do we pay acme": of what the vendor did nothing is recorded. */
export function asksOfVendor(units: readonly Unit[]): boolean {
  return units.some((unit, at) => {
    const who = wordAt(units, at);
    const before = wordAt(units, at - 1);
    if (!VENDOR.has(who) || !QUESTION_AUXILIARIES.has(before)) return false;
    return (who === "i" && before === "did") || PAID.has(wordAt(units, at + 1)) || isDoneNext(units, at, unit.at);
  });
}

/** Whether what is done stands after who does it, as the second part of a feature's name or as all of it. */
function isDoneNext(units: readonly Unit[], at: number, token: number): boolean {
  return units.some((unit, other) => {
    if (unit.kind !== "name" || unit.mention.byType.feature === undefined) return false;
    const [, verb] = unit.mention.span.parts;
    return other === at + 1 || verb?.from === token + 1;
  });
}
