/** Labels for health and attributes. */
import { daysUntil } from "../../core/durations.ts";
import type { Component, Health, HealthState, Stage } from "../../core/health/model.ts";
import { counted, dateOf, describeMissing, inFigures, momentDate, STATE_NAMES } from "../../core/health/texts.ts";
import type { Json } from "../../core/json.ts";
import type { Tone } from "../components/elements.tsx";
import { formatMoney, formatNumber } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";

const inTone = (state: HealthState, tone: Tone) => ({ name: STATE_NAMES[state], tone });

export const STATES: Readonly<Record<HealthState, { name: string; tone: Tone }>> = {
  healthy: inTone("healthy", "good"),
  watch: inTone("watch", "watch"),
  at_risk: inTone("at_risk", "bad"),
  insufficient_data: inTone("insufficient_data", "none"),
  churned: inTone("churned", "none"),
  stale: inTone("stale", "none"),
};

export const COMPONENT_TEXTS: Readonly<Record<Component, { name: string; meaning: string }>> = {
  recency: { name: "Recency", meaning: "days since the last activity, compared with the account’s longest gaps" },
  frequency: { name: "Frequency", meaning: "active days in the last 28, compared with typical accounts" },
  breadth: { name: "Breadth", meaning: "active users in the last 28 days, compared with the seats" },
  depth: { name: "Depth", meaning: "core features used in the last 28 days" },
  trend: { name: "Trend", meaning: "usage in the last 14 days, compared with the weeks before" },
};

export const STAGE_NAMES: Readonly<Record<Stage, string>> = { trial: "Trial", active: "Customer", churned: "Churned" };

/** When events affect scores, which use complete days (docs/recompute.md §10). */
export const SCORING_TIME = "Today’s events count after midnight UTC. Events of earlier days count within minutes.";

const SCORES_WAIT = "No events are arriving in this workspace, so scores don’t change.";

/** Explains a missing or provisional score; `null` if there is nothing to explain. */
export function scoreNote(health: Health | null): string | null {
  if (health === null) return SCORING_TIME;
  switch (health.state) {
    case "insufficient_data":
      // A first score waits while the sender may be out.
      return health.missing.length === 0
        ? SCORES_WAIT
        : `As of ${dateOf(health.day)}: ${health.missing.map(describeMissing).join(" ")}`;
    case "churned":
      return "Churned accounts have no score.";
    case "stale":
      return SCORES_WAIT;
    case "healthy":
    case "watch":
    case "at_risk":
      return health.confidence === "low" ? "Provisional: limited data." : null;
  }
}

/** Writes a change of a score: `+3`, `−12.5`, `0`. */
export function formatPoints(points: number): string {
  if (points === 0) return "0";
  return `${points < 0 ? "−" : "+"}${inFigures(Math.abs(points))}`;
}

export const ATTRIBUTES = {
  stage: "Stage",
  plan: "Plan",
  seats: "Seats",
  mrr: "MRR",
  currency: "Currency",
  trialEndsAt: "Trial ends",
  contractEndsAt: "Contract ends",
} as const;
export type Attribute = keyof typeof ATTRIBUTES;

export type ShownAttributes = Readonly<Record<string, string | number | null | undefined>>;

/** Formats an attribute; the MRR with its currency. */
export function formatAttribute(name: Attribute, values: ShownAttributes): string {
  const value = values[name];
  if (value == null) return "none";
  const { currency } = values;
  if (name === "mrr") return formatMoney(Number(value), typeof currency === "string" ? currency : null);
  if (name === "trialEndsAt" || name === "contractEndsAt") return momentDate(Date.parse(String(value)));
  return typeof value === "number" ? formatNumber(value) : truncate(value);
}

/** Says how long a contract or a trial still lasts: `45 days left`, `ends today`, `ended 3 days ago`. */
export function describeDaysLeft(end: ShownAttributes[string], now: number): string {
  const days = daysUntil(Date.parse(String(end)), now);
  if (days === 0) return "ends today";
  return days > 0 ? `${counted(days, "day")} left` : `ended ${counted(-days, "day")} ago`;
}

const MAX_TRAIT_CHARACTERS = 120;

/** A date, or a time in UTC. */
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)?$/;

/** Writes dates as the console does everywhere: `12 Nov 2026`. */
export function formatTrait(value: Json): string {
  if (typeof value === "string" && ISO_DATE.test(value) && !Number.isNaN(Date.parse(value))) {
    return momentDate(Date.parse(value));
  }
  return truncate(typeof value === "string" ? value : JSON.stringify(value), MAX_TRAIT_CHARACTERS);
}
