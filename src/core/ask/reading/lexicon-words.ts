/** Which word of the lexicon a token may be: what is written as a name, an id or an abbreviation is none. */
import { isLexiconWord } from "../lexicon/lexicon.ts";
import type { Question } from "../question/tokens.ts";
import { isPartOfId } from "../question/written-ids.ts";
import type { Cover } from "./cover.ts";

const ALL_CAPITALS = /^\P{Ll}+$/u;
const CAPITALISED = /^\p{Lu}\p{Ll}{2,}$/u;
const SMALL = /^\p{Ll}/u;
const TWO_CAPITALS = /^\p{Lu}{2}$/u;
/** Those of two capitals that are the words that they look like. */
const SHORT_WORDS: ReadonlySet<string> = new Set(["OK", "VS"]);
/** They are written in capitals in whatever question. */
const ABBREVIATIONS: ReadonlySet<string> = new Set("mrr arr dau wau mau nps csat csm api ltv acv poc".split(" "));
/** Shorter words may be abbreviations, and are small in titles too. */
const LONG = 4;

/**
 * A word of two capitals is none of the small words that it looks like (IT, US, IN), and a part of what is written as
 * an id is no word at all (`trial.ended`). Empty of what is none.
 */
export function lexiconWord(question: Question, at: number, covered: Cover): string {
  const { tokens } = question;
  const token = tokens[at];
  if (token === undefined || token.quote !== null || isPartOfId(question, at)) return "";
  if (belongsToName(question, at, covered) || isNameByItself(question, at, covered)) return "";
  if (token.folded === "us" && ["the", "in"].includes(tokens[at - 1]?.folded ?? "")) return "";
  const isAbbreviation = TWO_CAPITALS.test(token.raw) && !SHORT_WORDS.has(token.raw) && !isShouted(question, covered);
  return isAbbreviation ? "" : token.folded;
}

/** Whether a question is written in capitals, whatever its names and times are written in. */
function isShouted({ tokens }: Question, covered: Cover): boolean {
  const shouted = tokens.filter(
    ({ raw, folded }, at) =>
      !covered.has(at) && ALL_CAPITALS.test(raw) && !ABBREVIATIONS.has(folded) && isLexiconWord(folded),
  );
  return (
    shouted.some(({ raw }) => raw.length >= LONG) || shouted.filter(({ raw }) => raw.length === LONG - 1).length > 1
  );
}

const BEFORE_SUBJECTS: ReadonlySet<string> = new Set("did does do has have had at for from by with of in".split(" "));

/** "How many events did Platform have": a capital in the middle of a sentence makes a name of a word. */
function isNameByItself({ tokens }: Question, at: number, covered: Cover): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (before === undefined || token === undefined || !CAPITALISED.test(token.raw)) return false;
  return BEFORE_SUBJECTS.has(before.folded) && isInSmallLetters(tokens, covered);
}

/** Names and titles apart. */
const isInSmallLetters = (tokens: Question["tokens"], covered: Cover): boolean =>
  tokens.some(({ raw }, at) => !covered.has(at) && raw.length >= LONG && SMALL.test(raw));

/** "Veridian Health", where there is only a "Veridian": unless every word of the question is written so. */
function belongsToName({ text, tokens }: Question, at: number, covered: Cover): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (before === undefined || token === undefined || !CAPITALISED.test(token.raw) || before.possessive) return false;
  const isAfterName = covered.get(at - 1)?.unit.kind === "name" && text.slice(before.end, token.start) === " ";
  return isAfterName && isInSmallLetters(tokens, covered);
}
