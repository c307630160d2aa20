/** The types and phrases that all answers share. */
import type { Day } from "../../health/model.ts";
import type { Evidence, Reason } from "../model.ts";
import { isSubject } from "./check.ts";
import { EvidenceList } from "./evidence.ts";
import type { Query } from "./model.ts";
import { sayEntity, type Speech } from "./names.ts";
import { measureOf, nounOf, type Worded } from "./nouns.ts";
import type { QueryResult } from "./result.ts";
import { sayWhen, thenOf, whenOf, windowOf } from "./times.ts";
import { upper } from "./words.ts";

export interface Telling extends Speech {
  today: Day;
  /** Milliseconds since the epoch. */
  now: number;
  /** The first day that anything was recorded; `null` before it. */
  firstDay: Day | null;
}

export type AnswerValue = number | string | boolean | readonly Record<string, unknown>[];

export type Told =
  | { answer: string; value: AnswerValue; evidence: readonly Evidence[]; confidence: "high" | "medium" }
  | { refusal: { reason: Reason; detail: string } };

/** Everything that one answer is written from. */
export interface Answered extends Worded {
  result: QueryResult;
  telling: Telling;
  evidence: EvidenceList;
}

/** @param query canonical */
export function beginAnswer(query: Query, result: QueryResult, telling: Telling): Answered {
  const evidence = new EvidenceList();
  for (const { dimension, is, in: anyOf } of [...query.where, ...(query.of ?? [])]) {
    const type = dimension === "event" ? "feature" : dimension;
    if (type === "account" || type === "user" || type === "feature")
      for (const id of anyOf ?? [is ?? []].flat()) evidence.add(type, sayEntity(type, id, telling));
  }
  return { query, result, telling, voice: telling, noun: nounOf(query, telling), evidence };
}

export const told = ({ evidence, telling }: Answered, answer: string, value: AnswerValue): Told => ({
  answer,
  value,
  evidence: evidence.all(telling.now),
  confidence: "high",
});

export const refuse = (reason: Reason, detail: string): Told => ({ refusal: { reason, detail } });

/** Capitalizes the beginning of a sentence, unless it is a name. */
export const opening = ({ noun }: Answered, text: string): string =>
  noun.names !== null && text.startsWith(noun.head) && !text.startsWith("the ") ? text : upper(text);

/** Says that the measure has no value. */
export function unknown(answered: Answered): Told {
  const { measure = "" } = answered.query;
  const isHealth = measure === "score" || measure === "health";
  const other = measure === "last_seen" ? "no_data_in_window" : "unmeasured_attribute";
  return refuse(isHealth ? "insufficient_history" : other, `There is no value for the ${measureOf(answered)}.`);
}

/** ` in the last 28 days (27 Oct to 23 Nov 2026, today so far)`. Empty if no days were counted. */
export function timeText({ query, result, evidence, telling }: Answered): string {
  const window = windowOf(query);
  if (window === undefined) return "";
  if (result.window === null) return whenOf(query, window);
  const isCompared = query.compare !== undefined && !isSubject(query.compare.to);
  const isToday = result.window.to === telling.today && !isCompared;
  const { from, to } = result.window;
  const first = Math.min(Math.max(from, telling.firstDay ?? from), to);
  const dates = evidence.window({ from: first, to });
  if ("unit" in window) evidence.add("window_length", "last" in window ? window.last : window.next);
  if (isToday && from === telling.today) return ` so far today (${dates})`;
  const notes = [
    ...("from" in window && first === from ? [] : [dates]),
    ...(first > from ? ["since records began"] : []),
    ...(isToday ? ["today so far"] : []),
  ];
  return `${whenOf(query, window)}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
}

/** `in the 28 days before (29 Sep to 26 Oct 2026)`, `of Beta`: the other side of a comparison. */
export function thenText({ query, result, evidence, voice }: Answered): string {
  const { compare } = query;
  if (compare === undefined) return "";
  const then = thenOf(query, voice);
  if (isSubject(compare.to)) {
    evidence.add("compared", then);
    return `of ${then}`;
  }
  const when = compare.to === "before" ? `in ${then}` : sayWhen(compare.to);
  return result.before === null ? when : `${when} (${evidence.window(result.before)})`;
}
