/** Prepares the context of an answer, and writes the phrases that all answers share. */
import type { Day } from "../../health/model.ts";
import type { Rates } from "../../rates.ts";
import type { Evidence, RefusalReason } from "../model.ts";
import { type DisplayNames, entityText } from "./display-names.ts";
import { HISTORY } from "./dimensions.ts";
import { EvidenceList } from "./evidence-list.ts";
import type { Query } from "./model.ts";
import { measureOf, nounOf, type QueryWording } from "./noun-phrases.ts";
import { showsPast, usesWindow } from "./canonical.ts";
import type { QueryResult } from "./result.ts";
import { comparesWithEntity, namedSubjects } from "./subjects.ts";
import { comparedToText, queryWhenText, whenText, statedWindow } from "./window-texts.ts";
import { isoDate } from "./windows.ts";
import { capitalize } from "./words.ts";

export interface AnswerSettings extends DisplayNames {
  today: Day;
  /** Milliseconds since the epoch. */
  now: number;
  /** The first day that anything was recorded; `null` before it. */
  firstDay: Day | null;
  /** Exchange rates that amounts in several currencies were ranked by. */
  rates?: Rates | undefined;
  /** The first day whose counts are kept. */
  historyFrom?: Day;
}

type Value = number | string | boolean | readonly Record<string, unknown>[];

export type WrittenAnswer =
  | { answer: string; value: Value; evidence: readonly Evidence[]; confidence: "high" | "medium" }
  | { refusal: { reason: RefusalReason; detail: string } };

/** The query, its result and the names that an answer is written from. */
export interface AnswerContext extends QueryWording, AnswerSettings {
  result: QueryResult;
  evidence: EvidenceList;
}

/** @param query canonical */
export function answerContext(query: Query, result: QueryResult, given: AnswerSettings): AnswerContext {
  const settings = { ...given, isUnquoted: true } as const;
  const evidence = new EvidenceList();
  for (const { type, name } of namedSubjects(query)) evidence.add(type, entityText(type, name, settings));
  return { ...settings, query, result, noun: nounOf(query, settings), evidence };
}

export const answerWith = ({ evidence, now }: AnswerContext, answer: string, value: Value): WrittenAnswer => ({
  answer,
  value,
  evidence: evidence.all(now),
  confidence: "high",
});

export const refuse = (reason: RefusalReason, detail: string): WrittenAnswer => ({ refusal: { reason, detail } });

/** Capitalizes the beginning of a sentence, unless it is a name. */
export const asOpening = ({ noun, query, ...names }: AnswerContext, text: string): string => {
  const named = [noun, noun.owner].flatMap((each) => (each === null || each.named === null ? [] : [each.head]));
  const events = namedSubjects(query).flatMap(({ type, name }) =>
    type === "feature" ? [entityText(type, name, names)] : [],
  );
  const isName = [...named, ...events].some((name) => text.startsWith(name)) && !text.startsWith("the ");
  return isName ? text : capitalize(text);
};

/** Refuses a measure that has no value. */
export function refuseUnknown(context: AnswerContext): WrittenAnswer {
  const { measure = "" } = context.query;
  const isHealth = measure === "score" || measure === "health";
  const other = measure === "last_seen" ? "no_data_in_window" : "unmeasured_attribute";
  const { noun } = context;
  if (isHealth && noun.named === "one")
    return refuse("insufficient_history", `${asOpening(context, noun.text)} has no health score yet.`);
  return refuse(isHealth ? "insufficient_history" : other, `The ${measureOf(context)} isn't recorded.`);
}

/** ` in the last 28 days (27 Oct to 23 Nov 2026, today so far)`. Empty if no days were counted. */
export function timeText({ query, result, evidence, today, firstDay, historyFrom }: AnswerContext): string {
  const window = statedWindow(query);
  if (window === undefined) return "";
  if (result.window === null) return queryWhenText(query, window);
  const isCompared = query.compare !== undefined && !comparesWithEntity(query.compare.to);
  const isToday = result.window.to === today && !isCompared;
  const { from, to } = result.window;
  // Values at the end of each day are those of the last one.
  if (isCompared && HISTORY.has(query.measure ?? "")) {
    if ("last" in window) evidence.add("window_length", window.last);
    return ` on ${evidence.window({ from: to, to })}`;
  }
  if (showsPast(query) && !usesWindow(query)) {
    // A time that isn't over ends now.
    if (to >= today) return "";
    const day = isoDate(to);
    return queryWhenText(query, whenText(window).startsWith("from ") ? { from: day, to: day } : window);
  }
  const first = Math.min(Math.max(from, firstDay ?? from), to);
  const dates = evidence.window({ from: first, to });
  if ("unit" in window) evidence.add("window_length", "last" in window ? window.last : window.next);
  if (isToday && from === today) return ` so far today (${dates})`;
  if ("all" in window) return ` since records began (${dates}${isToday ? ", today so far" : ""})`;
  const notes = [
    ...("from" in window && first === from ? [] : [dates]),
    ...(first > from ? [from < (historyFrom ?? from) ? "as far back as counts are kept" : "since records began"] : []),
    ...(isToday ? ["today so far"] : []),
  ];
  return `${queryWhenText(query, window)}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
}

/** `in the 28 days before (29 Sep to 26 Oct 2026)`, `of Beta`: the other side of a comparison. */
export function comparisonText(context: AnswerContext): string {
  const { query, result, evidence } = context;
  const { compare } = query;
  if (compare === undefined) return "";
  const then = comparedToText(query, context);
  if (comparesWithEntity(compare.to)) return `of ${then}`;
  const when = compare.to === "before" ? `in ${then}` : whenText(compare.to);
  if (result.before === null) return when;
  const { to: last } = result.before;
  if (HISTORY.has(query.measure ?? "")) return `on ${evidence.window({ from: last, to: last })}`;
  const dates = evidence.window(result.before);
  const isDay = typeof compare.to === "object" && "from" in compare.to && compare.to.from === compare.to.to;
  return isDay ? when : `${when} (${dates})`;
}
