/** Runs of words in a question that may be an unknown name. */
import { isConceptWord, isFrameWord, isLexiconWord, phrasesAt } from "../lexicon/lexicon.ts";
import type { Mention } from "../naming/mentions.ts";
import type { Run } from "../question/spans.ts";
import type { Question } from "../question/tokens.ts";
import type { Unit } from "../reading/units.ts";
import { hasAuxiliaryBetween, isCapitalised, isObject, OBJECT_VERBS, POINTERS } from "./name-places.ts";

/** Runs of words that are not known, each with what it is written together with. */
export function unknownRuns({ tokens }: Question, units: readonly Unit[]): Run[] {
  const free = wordPlaces(units);
  const corrected = new Set(
    units.flatMap((unit) =>
      unit.kind === "word" && unit.word !== "" && unit.word !== tokens[unit.at]?.folded ? [unit.at] : [],
    ),
  );
  const isUnknown = (at: number) => {
    const token = tokens[at];
    if (token === undefined || !free.has(at) || corrected.has(at)) return false;
    return token.quote !== null || !isLexiconWord(token.folded) || /\p{N}/u.test(token.folded);
  };
  const runs: Run[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (!isUnknown(at)) continue;
    const run = { from: at, to: at };
    while (isUnknown(run.to + 1)) run.to += 1;
    const belongs = (next: number, edge: number) =>
      free.has(next) && (tokens[next]?.unit === tokens[edge]?.unit || isCapitalised(tokens[next]?.raw, next));
    while (belongs(run.to + 1, run.to)) run.to += 1;
    while (belongs(run.from - 1, run.from) && run.from - 1 > (runs.at(-1)?.to ?? -1)) run.from -= 1;
    runs.push(run);
    at = run.to;
  }
  return runs;
}

/** The tokens that are words, and no part of a name or a time. */
const wordPlaces = (units: readonly Unit[]): ReadonlySet<number> =>
  new Set(units.flatMap((unit) => (unit.kind === "word" ? [unit.at] : [])));

/** Words right after a verb of use, that may be a name though some of them are known: "used paying invoices". */
export function usedRuns({ tokens }: Question, units: readonly Unit[]): Run[] {
  const free = wordPlaces(units);
  const isPart = (at: number) =>
    free.has(at) && !isFrameWord(tokens[at]?.folded ?? "") && !OBJECT_VERBS.has(tokens[at]?.folded ?? "");
  const runs: Run[] = [];
  for (let from = 1; from < tokens.length; from += 1) {
    if (!isPart(from) || isPart(from - 1) || !isObject(tokens, from)) continue;
    let to = from;
    while (isPart(to + 1)) to += 1;
    const isName = tokens
      .slice(from, to + 1)
      .some(({ folded }) => !isConceptWord(folded) && !POINTERS.includes(folded));
    const [first] = phrasesAt([tokens[from]?.folded ?? ""], 0);
    if (isName && first?.refusals.includes("condition") !== true) runs.push({ from, to });
  }
  return runs;
}

/** A known name and more of one: "Acme Europe", where there is only an "Acme". */
export function longerName({ tokens }: Question, mentions: readonly Mention[], { from, to }: Run): Run | null {
  if (!tokens.slice(from, to + 1).every(({ raw }) => /^[\p{Lu}\p{N}]/u.test(raw))) return null;
  for (const { span, byType } of mentions) {
    const part = span.parts.at(-1);
    if (part === undefined || (byType.account === undefined && byType.user === undefined)) continue;
    if (part.to === from - 1 && tokens[part.to]?.possessive === false) return { from: part.from, to };
    if (part.from === to + 1 && from > 0 && tokens[to]?.possessive === false) return { from, to: part.to };
  }
  return null;
}

/** The one word for what was done to it: "how many flurbs did acme create". */
export function doneTo({ tokens }: Question, units: readonly Unit[], run: Run): Run | null {
  const after = units.flatMap((unit) =>
    unit.kind === "word" && unit.at > run.to && !isFrameWord(unit.word) ? [unit.at] : [],
  );
  const [at] = after;
  if (at === undefined || after.length > 1) return null;
  return hasAuxiliaryBetween(tokens, run, { from: at, to: at }) ? { from: at, to: at } : null;
}
