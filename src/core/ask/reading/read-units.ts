/** From the tokens of a question to its units, by a choice of what they are: names first, then times, then words. */
import { AUXILIARIES } from "../lexicon/grammar-words.ts";
import { OPENING_WORDS } from "../lexicon/frame-words.ts";
import type { Question, Token } from "../question/tokens.ts";
import type { Clock, TimeContext } from "../time/time-context.ts";
import type { TimePhrase } from "../time/time-phrase.ts";
import { timeAt } from "../time/time-words.ts";
import type { Choice } from "./choices.ts";
import { type Cover, coverOf, masked } from "./cover.ts";
import { lexiconWord } from "./lexicon-words.ts";
import type { Reading, Unit } from "./units.ts";

export function readUnits(question: Question, choice: Choice, { today, firstDay }: Clock): Reading {
  const { tokens, text } = question;
  const covered = coverOf(tokens, choice);
  const { areTimesApart } = choice;
  const context: TimeContext = { text, tokens: masked(tokens, covered), today, firstDay, areTimesApart };
  const yesNoAt = yesNoPlace(tokens, covered);
  const units: Unit[] = [];
  let said: string | null = null;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const cover = covered.get(at);
    if (token === undefined) continue;
    if (cover !== undefined) {
      if (cover.isFirst) units.push(cover.unit);
      continue;
    }
    const time: TimePhrase | null = timeAt(context, at) ?? shortTime(context, at, said);
    if (time !== null) {
      const last = tokens[at + time.length - 1] ?? token;
      const asDays = isCountedDays(tokens, at, time.length) ? (["dayNoun"] as const) : [];
      units.push({ kind: "time", time, text: text.slice(token.start, last.end), concepts: asDays, at });
      said = time.calendarUnit ?? said;
      at += time.length - 1;
      continue;
    }
    const correction = choice.corrections.get(at);
    const concepts = at === yesNoAt ? (["yesNo"] as const) : [];
    if (correction === undefined) units.push({ kind: "word", word: lexiconWord(question, at, covered), concepts, at });
    else units.push({ kind: "word", word: correction, concepts, at, said: token.raw });
  }
  return { units, mentions: choice.mentions };
}

const SHORT_TIMES: ReadonlySet<string> = new Set(["last", "previous"]);
const BEFORE_SHORT_TIMES: ReadonlySet<string> = new Set("than vs versus to with and or from".split(" "));

/** "this month than last": the unit is that of the time before. */
function shortTime(context: TimeContext, at: number, said: string | null): TimePhrase | null {
  const token = context.tokens[at];
  if (token === undefined || said === null || !SHORT_TIMES.has(token.folded)) return null;
  if (!BEFORE_SHORT_TIMES.has(context.tokens[at - 1]?.folded ?? "")) return null;
  const time = timeAt({ ...context, tokens: [token, { ...token, folded: said }] }, 0);
  return time === null ? null : { ...time, length: 1 };
}

/** "on how many of the last 30 days". */
function isCountedDays(tokens: readonly Token[], at: number, length: number): boolean {
  const words = tokens.slice(at, at + length).map(({ folded }) => folded);
  return words[0] === "of" && tokens[at - 1]?.folded === "many" && words.at(-1) === "days";
}

/** Where a question that is answered by yes or no has its verb. */
function yesNoPlace(tokens: readonly Token[], covered: Cover): number | null {
  for (const [at, { folded }] of tokens.entries()) {
    if (covered.has(at)) return null;
    if (AUXILIARIES.has(folded)) return at;
    if (!OPENING_WORDS.has(folded)) return null;
  }
  return null;
}
