/**
 * The parts of sentences. Whatever a sender named stands between quotation marks exactly as it was sent: it is data,
 * and the check of an answer (`check.ts`) knows names by their marks.
 */
import { DAY_MS } from "../../durations.ts";
import type { Day, HealthState, Window } from "../../health/model.ts";
import { dateOf, inFigures } from "../../health/texts.ts";
import type { AskWindow, Entity } from "../model.ts";

const TWO_DECIMALS = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** What is not rounded further, like money and scores: `1,249.99`. */
export const inExactFigures = (value: number): string => TWO_DECIMALS.format(value);

/** With at most one decimal, as `inFigures` shows it: what a ground for it is put down as. */
export const toOneDecimal = (value: number): number => Math.round(value * 10) / 10 + 0;

export const quoted = (name: string): string => `"${name}"`;

/** In a list: the company's or the person's name, and what no other has. */
export function named({ externalId, name }: Pick<Entity, "externalId" | "name">): string {
  return name === null || name === externalId ? quoted(externalId) : `${quoted(name)} (${quoted(externalId)})`;
}

/** As `counted` in health/texts.ts, of nouns with a plural of their own too. */
export function several(count: number, noun: string, nouns = `${noun}s`): string {
  return `${inFigures(count)} ${count === 1 ? noun : nouns}`;
}

/** The same where a sentence begins: `No account`, which goes with a verb as `1 account` does. */
export const severalOrNo = (count: number, noun: string): string => (count === 0 ? `No ${noun}` : several(count, noun));

/** `2 accounts are`, `1 account is`, `No account is`. */
export const thereAre = (count: number, noun: string): string =>
  `${severalOrNo(count, noun)} ${verb(count, "is", "are")}`;

/** The verb that goes with `severalOrNo`. */
export const verb = (count: number, ofOne: string, ofMany: string): string => (count <= 1 ? ofOne : ofMany);

/** `a`, `a and b`, `a, b and c`. */
export function allOf(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

/** `from 25 Oct to 21 Nov 2026`, `on 21 Nov 2026`. */
export const datesIn = (window: Window): string => `${window.from === window.to ? "on" : "from"} ${spanOf(window)}`;

/** `25 Oct to 21 Nov 2026`, `21 Nov 2026`. */
export function spanOf({ from, to }: Window): string {
  const [first, last] = [dateOf(from), dateOf(to)];
  if (from === to) return last;
  return `${yearOf(first) === yearOf(last) ? dayAndMonth(first) : first} to ${last}`;
}

/** The same, and that it was not asked for where it was not. */
export function inWindow(window: AskWindow, which?: "last" | "next"): string {
  return `${datesIn(window)}${disclosed(window, which)}`;
}

/** ` (the last 28 days, as no time was given)`; nothing of a window that was asked for. */
export function disclosed({ from, to, phrase }: AskWindow, which: "last" | "next" = "last"): string {
  if (phrase === null && from === to) return " (the last full day, as no time was given)";
  return phrase === null ? ` (the ${which} ${several(to - from + 1, "day")}, as no time was given)` : "";
}

const yearOf = (date: string): string => date.slice(date.lastIndexOf(" "));
/** `25 Oct` of `25 Oct 2026`. */
export const dayAndMonth = (date: string): string => date.slice(0, date.lastIndexOf(" "));

export const dayOf = (ms: number): Day => Math.floor(ms / DAY_MS);
/** `2026-11-21`: days as evidence and values tell them. */
export const isoDay = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
export const isoTime = (ms: number): string => new Date(ms).toISOString();

export const STATE_WORDS: Readonly<Record<HealthState, string>> = {
  healthy: "healthy",
  watch: "on watch",
  at_risk: "at risk",
  insufficient_data: "without enough data",
  churned: "churned",
  stale: "frozen",
};

/** By `most` descending; the same by the external id, so that no order depends on how rows were read. */
export function ranked<Row>(rows: readonly Row[], most: (row: Row) => number, entity: (row: Row) => Entity): Row[] {
  return rows.toSorted((a, b) => most(b) - most(a) || compareTexts(entity(a).externalId, entity(b).externalId));
}

/** By code units: the same on every machine. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
