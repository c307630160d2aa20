/**
 * Health in plain sentences, made on reading from the codes and figures that are kept (docs/health.md §11.13): so no
 * name is ever stored in an outcome, and a better wording needs no recompute.
 */
import { DAY_MS } from "../durations.ts";
import type { Cap, Change, Component, Day, Missing, Reason, Window } from "./model.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const ONE_DECIMAL = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** With at most one decimal: `1,234.5`. */
export function inFigures(value: number): string {
  // Adding 0 spares readers a negative zero.
  return ONE_DECIMAL.format(Math.round(value * 10) / 10 + 0);
}

/** `1 user`, `2 users`, `2.5 users`. */
export function counted(value: number, noun: string): string {
  const figures = inFigures(value);
  return `${figures} ${figures === "1" ? noun : `${noun}s`}`;
}

/** Of a share from 0 to 1: `45%`. */
export function inPercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** In UTC: `12 Nov 2026`. */
export function dateOf(day: Day): string {
  return momentDate(day * DAY_MS);
}

/** The date of a moment in UTC, as `dateOf`. @param ms since the epoch */
export function momentDate(ms: number): string {
  const date = new Date(ms);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `from 1 Nov 2026 to 14 Nov 2026`. */
export function datesOf({ from, to }: Window): string {
  return `from ${dateOf(from)} to ${dateOf(to)}`;
}

/** The reasons of a score, each in a sentence. Of several caps the lowest, which is the first, decides. */
export function describeReasons(reasons: readonly Reason[]): string[] {
  const lowest = reasons.find(({ kind }) => kind === "cap");
  return reasons.map((reason) => describeReason(reason, reason.kind === "cap" && reason !== lowest));
}

/**
 * Why a score is what it is, in a sentence with the observed and the expected figure.
 *
 * @param isOutdone whether a lower cap decides already
 */
export function describeReason(reason: Reason, isOutdone = false): string {
  const finding = FINDINGS[reason.code](reason);
  const points = counted(reason.points, "point");
  switch (reason.kind) {
    case "loss":
      return `${finding}: this costs ${points}.`;
    case "strength":
      return `${finding}: this earns ${points}.`;
    case "cap":
      return isOutdone
        ? `${finding}: by itself this would take off ${points}.`
        : `${finding}: this caps the score and takes off ${points}.`;
  }
}

type Finding = Pick<Reason, "observed" | "expected" | "window">;

const FINDINGS: Readonly<Record<Component | Cap, (reason: Finding) => string>> = {
  recency: describeGap,
  frequency: ({ observed, expected, window }) =>
    `Active on ${counted(observed, "day")} ${datesOf(window)}, where ${inFigures(expected)} are typical`,
  breadth: ({ observed, expected, window }) =>
    `${counted(observed, "active user")} ${datesOf(window)}, where ${inFigures(expected)} are expected`,
  depth: ({ observed, expected, window }) =>
    `${counted(observed, "core feature")} in use ${datesOf(window)}, where ${inFigures(expected)} are expected`,
  // As much as before is not all there is: docs/health.md §11.6. In words, since it is no figure of the reason's own.
  trend: ({ observed, expected, window }) =>
    `${counted(observed, "user-day")} (people × days) ${datesOf(window)}, ` +
    `where ${inFigures(expected)} are expected and a quarter more bring all points`,
  silent: describeGap,
  confirmed_drop: ({ observed, expected, window }) =>
    `${counted(observed, "user-day")} ${datesOf(window)}, where ${inFigures(expected)} are expected`,
  below_own_best: ({ observed, expected, window }) =>
    `${counted(observed, "user-day")} ${datesOf(window)}, where ${inFigures(expected)} are its own best`,
};

function describeGap({ observed, expected, window }: Finding): string {
  const gap = `${counted(observed, "business day")} without activity up to ${dateOf(window.to)}`;
  return `${gap}, where ${inFigures(expected)} count as silence`;
}

/** What is wanting for a score. */
export function describeMissing({ code, observed, required }: Missing): string {
  switch (code) {
    case "coverage":
      return `${inPercent(observed)} of the score can be measured so far, and at least ${inPercent(required)} are needed.`;
    case "tenure":
      return `Known for ${counted(observed, "day")} so far, and at least ${inFigures(required)} are needed.`;
    case "active_days":
      return `Active on ${counted(observed, "day")} so far, and at least ${inFigures(required)} are needed.`;
  }
}

const COMPONENT_NAMES: Readonly<Record<Component, string>> = {
  recency: "How recently it was used",
  frequency: "How often it is used",
  breadth: "How many of its people use it",
  depth: "How many core features it uses",
  trend: "How its use compares with before",
};

/** What a component's points changed in seven days. */
export function describeChange({ component, points }: Change): string {
  const change = `${points < 0 ? "costs" : "earns"} ${counted(Math.abs(points), "point")} more than 7 days ago`;
  return `${COMPONENT_NAMES[component]} ${change}.`;
}
