/**
 * Describes health in plain sentences (docs/health.md §11.13). They are written from the stored codes and numbers when health
 * is read, so no outcome stores a name, and a better wording needs no recompute.
 */
import { DAY_MS } from "../durations.ts";
import type {
  Cap,
  ComponentChange,
  Comparison,
  Component,
  Day,
  HealthReason,
  HealthState,
  Missing,
  Window,
} from "./model.ts";

/** The names of states where they stand alone, as on the console's badges. */
export const STATE_NAMES: Readonly<Record<HealthState, string>> = {
  healthy: "Healthy",
  watch: "Watch",
  at_risk: "At risk",
  insufficient_data: "Not enough data",
  churned: "Churned",
  stale: "Paused",
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const ONE_DECIMAL = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** Formats a number with at most one decimal: `1,234.5`. */
export function inFigures(value: number): string {
  // Adding 0 turns a negative zero into zero.
  return ONE_DECIMAL.format(Math.round(value * 10) / 10 + 0);
}

/** Formats an amount: `1,234.5 EUR`; without a currency, the number. */
export function inMoney(value: number, currency: string | undefined): string {
  return currency === undefined ? inFigures(value) : `${inFigures(value)} ${currency}`;
}

/** Formats a count with its noun: `1 user`, `2 users`, `2.5 users`. */
export function counted(value: number, noun: string): string {
  const figures = inFigures(value);
  return `${figures} ${figures === "1" ? noun : `${noun}s`}`;
}

/** Formats a share from 0 to 1: `45%`. */
export function inPercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Formats a day: `12 Nov 2026`. */
export function dateOf(day: Day): string {
  return momentDate(day * DAY_MS);
}

/** Formats the UTC date of a moment: `12 Nov 2026`. @param ms since the epoch */
export function momentDate(ms: number): string {
  const date = new Date(ms);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Formats a window: `from 1 Nov 2026 to 14 Nov 2026`. */
export function datesOf({ from, to }: Window): string {
  return `from ${dateOf(from)} to ${dateOf(to)}`;
}

/**
 * Describes the reasons of a score, one sentence each, with the observed and the expected number. The first cap is the
 * lowest and decides the score.
 */
export function describeReasons(reasons: readonly HealthReason[]): string[] {
  const lowest = reasons.find(({ kind }) => kind === "cap");
  return reasons.map((reason) => {
    const finding = FINDINGS[reason.code](reason);
    const points = counted(reason.points, "point");
    switch (reason.kind) {
      case "loss":
        return `${finding}: −${points}.`;
      case "strength":
        return `${finding}: +${points}.`;
      case "cap":
        return reason === lowest ? `${finding}: caps the score, −${points}.` : `${finding}: −${points} on its own.`;
    }
  });
}

const FINDINGS: Readonly<Record<Component | Cap, (found: Comparison) => string>> = {
  recency: describeGap,
  frequency: ({ observed, expected, window }) =>
    `Active on ${counted(observed, "day")} ${datesOf(window)} (${inFigures(expected)} are typical)`,
  breadth: ({ observed, expected, window }) =>
    `${counted(observed, "active user")} ${datesOf(window)} (${inFigures(expected)} expected)`,
  depth: ({ observed, expected, window }) =>
    `${counted(observed, "core feature")} used ${datesOf(window)} (${inFigures(expected)} expected)`,
  // "A quarter" is in words because a question's answer may only contain numbers of its evidence.
  trend: ({ observed, expected, window }) =>
    `${counted(observed, "user-day")} (users × days) ${datesOf(window)} ` +
    `(${inFigures(expected)} expected; a quarter more earns full points)`,
  silent: describeGap,
  confirmed_drop: ({ observed, expected, window }) =>
    `Usage dropped to ${counted(observed, "user-day")} ${datesOf(window)} (${inFigures(expected)} expected)`,
  below_own_best: ({ observed, expected, window }) =>
    `${counted(observed, "user-day")} ${datesOf(window)} (${inFigures(expected)} at the account's best)`,
  contraction: ({ observed, expected, window }) =>
    `Seats or MRR were reduced to ${inFigures(observed)} ${datesOf(window)} (${inFigures(expected)} before)`,
  trial_over: ({ observed }) => `The trial ended ${counted(observed, "day")} ago without a decision`,
  feature_dropped: ({ expected, window }) =>
    `A core feature is no longer used (used on ${counted(expected, "day")} up to ${dateOf(window.from)})`,
  trial_unproven: ({ observed, expected }) =>
    `Day ${inFigures(observed)} of a trial of ${counted(expected, "day")}, which is too early for a higher score`,
  trial_fading: ({ observed, expected, window }) =>
    `${counted(observed, "user-day")} ${datesOf(window)} (${inFigures(expected)} in the trial's best week)`,
  declining: ({ observed, expected, window }) =>
    `Usage is declining: ${counted(observed, "user-day")} ${datesOf(window)} (${inFigures(expected)} expected)`,
  single_user: ({ window }) => `Only one user was active ${datesOf(window)}`,
  key_user_quiet: (absence) =>
    `A key user is quiet: ${describeGap(absence).replace(/^./, (first) => first.toLowerCase())}`,
};

function describeGap({ observed, expected, window }: Comparison): string {
  return observed === 0
    ? `Last active on ${dateOf(window.from)} (silent after ${counted(expected, "business day")})`
    : `No activity for ${counted(observed, "business day")} up to ${dateOf(window.to)} (silent after ${inFigures(expected)})`;
}

export function describeMissing({ code, observed, required }: Missing): string {
  switch (code) {
    case "coverage":
      return `Only ${inPercent(observed)} of the score can be measured so far (at least ${inPercent(required)} needed).`;
    case "tenure":
      return `Known for ${counted(observed, "day")} so far (at least ${inFigures(required)} needed).`;
    case "active_days":
      return `Active on ${counted(observed, "day")} so far (at least ${inFigures(required)} needed).`;
  }
}

const COMPONENT_NAMES: Readonly<Record<Component, string>> = {
  recency: "Recency (last activity)",
  frequency: "Frequency (active days)",
  breadth: "Breadth (active users)",
  depth: "Depth (core features)",
  trend: "Trend (recent usage)",
};

export function describeChange({ component, points }: ComponentChange): string {
  const verb = points < 0 ? "lost" : "gained";
  return `${COMPONENT_NAMES[component]} ${verb} ${counted(Math.abs(points), "point")} in 7 days.`;
}
