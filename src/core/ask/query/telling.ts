/** What answers are told with, and what they come to. */
import type { Day } from "../../health/model.ts";
import type { Evidence, Reason } from "../model.ts";
import type { Query } from "./model.ts";
import type { Grounds } from "./figures.ts";
import type { QueryResult } from "./result.ts";
import { isCount, thenOf, whenOf, windowOf } from "./say-measures.ts";
import type { Speech } from "./say-names.ts";
import { sayWhen } from "./say-windows.ts";
import { isSubject } from "./check.ts";

export interface Telling extends Speech {
  today: Day;
  /** Milliseconds since the epoch. */
  now: number;
}

export type AnswerValue = number | string | boolean | readonly Record<string, unknown>[];

export type Told =
  | { answer: string; value: AnswerValue; evidence: readonly Evidence[]; confidence: "high" | "medium" }
  | { refusal: { reason: Reason; detail: string } };

export const refuse = (reason: Reason, detail: string): Told => ({ refusal: { reason, detail } });

export const told = (answer: string, value: AnswerValue, { evidence }: Grounds): Told => ({
  answer,
  value,
  evidence,
  confidence: "high",
});

/** Whether a measure is counted over days. */
export const figuresOf = (measure: string): boolean =>
  isCount(measure) || measure === "seat_use" || measure === "adoption";

/** ` in the last 28 days (27 Oct to 23 Nov 2026, today so far)`. Nothing if no days were counted. */
export function timeText(query: Query, result: QueryResult, grounds: Grounds, { today }: Telling): string {
  const window = windowOf(query);
  if (window === undefined || result.window === null) return "";
  const isCompared = query.compare !== undefined && !isSubject(query.compare.to);
  const isToday = result.window.to === today && !isCompared;
  const dates = grounds.window(result.window);
  const length = "last" in window ? window.last : "next" in window ? window.next : null;
  if (length !== null) grounds.add("rollup", "window_length", length);
  if ("from" in window) return `${whenOf(query, window)}${isToday ? " (today so far)" : ""}`;
  if (isToday && result.window.from === today) return ` so far today (${dates})`;
  return `${whenOf(query, window)} (${dates}${isToday ? ", today so far" : ""})`;
}

/** `in the 28 days before (29 Sep to 26 Oct 2026)`, `of Beta`: what a comparison is with. */
export function thenText(query: Query, result: QueryResult, grounds: Grounds, telling: Telling): string {
  const { compare } = query;
  if (compare === undefined) return "";
  if (isSubject(compare.to)) {
    const name = thenOf(query, telling);
    grounds.add("attribute", "compared", name);
    return `of ${name}`;
  }
  const words = compare.to === "before" ? thenOf(query, telling) : sayWhen(compare.to);
  const prefixed = words.startsWith("as many") ? `in ${words}` : words;
  return result.before === null ? prefixed : `${prefixed} (${grounds.window(result.before)})`;
}
