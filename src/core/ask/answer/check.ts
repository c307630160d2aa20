/**
 * The last gate: an answer goes out only if it stands on its evidence. Its sentence is read from the left. Names stand
 * between quotation marks, and must be evidence or what the question is about; dates, numbers and currencies are read
 * outside of them. A name can hold anything, marks and numbers included, so wherever a mark stands every name that fits
 * is tried: the sentence passes if there is one way to read all of it.
 */
import { dateOf, inFigures } from "../../health/texts.ts";
import type { Window } from "../../health/model.ts";
import type { Answer } from "../model.ts";
import { dayAndMonth, dayOf, inExactFigures } from "./wording.ts";

type Known = Extract<Answer, { knows: true }>;

/** The answer, or, where it does not stand on its evidence, none. @param said names of the question that it repeats */
export function checked(answer: Answer, said: readonly string[] = []): Answer {
  if (!answer.knows || standsOnEvidence(answer, said)) return answer;
  return {
    knows: false,
    reason: "internal_check",
    detail: "There is an answer, but it does not stand on the evidence for it; so it is withheld.",
    interpretation: answer.interpretation,
    window: answer.window,
  };
}

/** Whether every number, date and name of the sentence is the value of an evidence, or of what the question says. */
export function standsOnEvidence(answer: Known, said: readonly string[] = []): boolean {
  const grounds = groundsOf(answer, said);
  const { answer: text } = answer;
  const reached = new Set([0]);
  // Grows while it is gone through; every place is gone through once.
  for (const place of reached) {
    if (place === text.length) return true;
    for (const next of stepsFrom(text, place, grounds)) reached.add(next);
  }
  return false;
}

interface Grounds {
  names: ReadonlySet<string>;
  /** As they can stand in a sentence. */
  figures: ReadonlySet<string>;
  dates: ReadonlySet<string>;
}

const DATE = /\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b(?: -?\d+)?/y;
const NUMBER = /-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?/y;
const WORD = /\p{L}+/uy;
const CURRENCY = /^[A-Z]{3}$/;
/** Words of ours that look like a currency. */
const OWN_WORDS: ReadonlySet<string> = new Set(["MRR"]);

/** Where reading can go on from a place; nowhere, where what stands there is no ground's. */
function stepsFrom(text: string, place: number, { names, figures, dates }: Grounds): readonly number[] {
  if (text[place] === '"') {
    const fitting = [...names].filter((name) => text.startsWith(`${name}"`, place + 1));
    return fitting.map((name) => place + name.length + 2);
  }
  const date = matchAt(DATE, text, place);
  if (date !== null) return dates.has(date) ? [place + date.length] : [];
  const number = matchAt(NUMBER, text, place);
  if (number !== null) return figures.has(withoutTail(number)) ? [place + withoutTail(number).length] : [];
  const word = matchAt(WORD, text, place);
  if (word === null) return [place + 1];
  return CURRENCY.test(word) && !OWN_WORDS.has(word) && !names.has(word) ? [] : [place + word.length];
}

/** A comma after a number is the sentence's. */
const withoutTail = (number: string): string => number.replace(/,+$/, "");

function matchAt(pattern: RegExp, text: string, place: number): string | null {
  pattern.lastIndex = place;
  return pattern.exec(text)?.[0] ?? null;
}

function groundsOf({ evidence, interpretation, window }: Known, repeated: readonly string[]): Grounds {
  const { subject, feature, compare } = interpretation;
  const values = evidence.map(({ value }) => value);
  const texts = values.filter((value) => typeof value === "string");
  const numbers = values.filter((value) => typeof value === "number");
  const said = [subject?.externalId, subject?.name, feature, compare].filter((name) => name !== undefined);
  const windows = evidence.flatMap((each) => (each.window === undefined ? [] : [each.window]));
  if (window !== null) windows.push(window);
  return {
    names: new Set([...texts, ...said, ...repeated]),
    figures: new Set(numbers.flatMap((value) => [inFigures(value), inExactFigures(value), String(value)])),
    dates: new Set([...texts.flatMap(dateIn), ...windows.flatMap(datesAt)]),
  };
}

const ISO = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/;

/** The date that a day or a time in ISO 8601 is shown as. */
function dateIn(text: string): string[] {
  const ms = ISO.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? [] : [dateOf(dayOf(ms))];
}

/** The first day may be shown without its year. */
const datesAt = ({ from, to }: Window): string[] => [dateOf(from), dayAndMonth(dateOf(from)), dateOf(to)];
