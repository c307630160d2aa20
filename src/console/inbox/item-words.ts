/** What the inbox calls its kinds, statuses and figures. */
import { dateOf, inFigures, inPercent } from "../../core/health/texts.ts";
import type { ItemKind, Resolution, Severity } from "../../core/inbox/model.ts";
import type { ItemStatus } from "../../services/inbox.ts";
import type { Tone } from "../components/elements.tsx";

export const KIND_NAMES: Readonly<Record<ItemKind, string>> = {
  trial_ending_low_activity: "Trial ending, little activity",
  trial_ending_ready: "Trial ending, going well",
  trial_expired: "Trial ended, undecided",
  never_activated: "Never started",
  usage_drop: "Drop in use",
  slow_decline: "Slow decline",
  gone_silent: "Gone silent",
  key_user_quiet: "Key user quiet",
  seats_nearly_full: "Seats nearly full",
  usage_growth: "Growing use",
  feature_dropped: "Feature dropped",
  contraction: "Cut back",
  health_dropped: "Health dropped",
  tracking_stopped: "No events arrive",
};

/** Those that tell of something to win: the MRR of the account is not at stake. */
const OPPORTUNITIES: ReadonlySet<ItemKind> = new Set(["trial_ending_ready", "seats_nearly_full", "usage_growth"]);
export const isOpportunity = (kind: ItemKind): boolean => OPPORTUNITIES.has(kind);

export const STATUS_NAMES: Readonly<Record<ItemStatus, string>> = {
  open: "Open",
  snoozed: "Snoozed",
  dismissed: "Dismissed",
  resolved: "Resolved",
};

export const SEVERITY_NAMES: Readonly<Record<Severity, string>> = {
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
};

export const toneOf = (kind: ItemKind, severity: Severity): Tone => {
  if (isOpportunity(kind)) return "good";
  return severity === "critical" || severity === "high" ? "bad" : severity === "medium" ? "watch" : "none";
};

export const RESOLUTION_NAMES: Readonly<Record<Resolution, string>> = {
  recovered: "What it told of is over.",
  changed: "What it was about has changed.",
  expired: "It was no news any more.",
  silent: "The account fell silent, which has an item of its own.",
  churned: "The account has churned.",
  superseded: "Something more specific was open.",
  withdrawn: "What arrived late showed that it never was so.",
};

const FIGURE_NAMES: Readonly<Record<string, string>> = {
  active_days: "Active days",
  active_users: "Active users",
  age_days: "Days since it was first seen",
  core_features: "Core features in use",
  days_since_trial_end: "Days since the trial’s end",
  gap_business_days: "Business days without activity",
  last_day: "Last active on",
  mrr: "MRR",
  new_users: "Users not seen before",
  score: "Health score",
  score_before: "Health score 14 days before",
  seats: "Seats",
  share: "Share of the account’s use",
  user_days: "User-days",
  users: "Users of it",
  z: "Standard deviations from the usual",
};

/** Of evidence, by its code. */
export const figureName = (code: string): string => FIGURE_NAMES[code] ?? code.replaceAll("_", " ");

export function figureOf(code: string, value: number): string {
  if (code === "last_day") return dateOf(value);
  return code === "share" ? inPercent(value) : inFigures(value).replace("-", "−");
}
