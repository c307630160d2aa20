/** What times are read from: the words of a question, and which day it is. */
import type { Day, Window } from "../../health/model.ts";
import type { Question } from "../question/tokens.ts";

export interface Clock {
  /** As the asker's time zone has it. */
  today: Day;
  /** The day of the workspace's first event. */
  firstDay: Day | null;
}

/** A question whose names are as good as quoted: they say nothing of time. */
export interface TimeContext extends Question, Clock {
  /** Whether times joined by "to" or "and" are taken one by one. */
  areTimesApart?: boolean;
}

export const wordAt = ({ tokens }: TimeContext, at: number): string => {
  const token = tokens[at];
  return token === undefined || token.quote !== null ? "" : token.folded;
};

/** The number of words of the longest of the phrases that stands at a place. */
export function phraseLength(context: TimeContext, at: number, phrases: readonly string[]): number {
  let found = 0;
  for (const phrase of phrases) {
    const words = phrase.split(" ");
    if (words.length > found && words.every((word, offset) => wordAt(context, at + offset) === word))
      found = words.length;
  }
  return found;
}

/** How many words "the" has there. */
export const articleAt = (context: TimeContext, at: number): 0 | 1 => (wordAt(context, at) === "the" ? 1 : 0);

/** How many words "so far" has there, which says nothing of a time that is told from today. */
export const soFarAt = (context: TimeContext, at: number): 0 | 2 =>
  wordAt(context, at) === "so" && wordAt(context, at + 1) === "far" ? 2 : 0;

/** Looking back, what has begun ends today. */
export const untilToday = ({ from, to }: Window, { today }: TimeContext): Window => ({
  from,
  to: from <= today ? Math.min(to, today) : to,
});
