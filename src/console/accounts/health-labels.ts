/** Labels for states, components, confidence and stages. */
import type { Component, Confidence, Health, HealthState, Stage } from "../../core/health/model.ts";
import { dateOf, describeMissing } from "../../core/health/texts.ts";
import type { Tone } from "../components/elements.tsx";

export const STATES: Readonly<Record<HealthState, { name: string; tone: Tone }>> = {
  healthy: { name: "Healthy", tone: "good" },
  watch: { name: "Watch", tone: "watch" },
  at_risk: { name: "At risk", tone: "bad" },
  insufficient_data: { name: "Not enough data", tone: "none" },
  churned: { name: "Churned", tone: "none" },
  stale: { name: "Inactive", tone: "none" },
};

export const COMPONENTS: Readonly<Record<Component, { name: string; meaning: string }>> = {
  recency: { name: "Recency", meaning: "days since the last activity, compared with the account’s longest gaps" },
  frequency: { name: "Frequency", meaning: "active days in the last 28, compared with typical accounts" },
  breadth: { name: "Breadth", meaning: "active users in the last 28 days, compared with the seats" },
  depth: { name: "Depth", meaning: "core features used in the last 28 days" },
  trend: { name: "Trend", meaning: "usage in the last 14 days, compared with the weeks before" },
};

export const CONFIDENCES: Readonly<Record<Confidence, string>> = { low: "Low", medium: "Medium", high: "High" };

export const STAGES: Readonly<Record<Stage, string>> = { trial: "Trial", active: "Customer", churned: "Churned" };

/** Explains a missing or provisional score; `null` if there is nothing to explain. */
export function scoreNote(health: Health | null): string | null {
  if (health === null) return "It gets a score with the next daily update.";
  switch (health.state) {
    case "insufficient_data":
      return `Until ${dateOf(health.day)}: ${health.missing.map(describeMissing).join(" ")}`;
    case "churned":
      return "Churned accounts have no score.";
    case "stale":
      return "No events are arriving in this workspace, so scores don’t change.";
    case "healthy":
    case "watch":
    case "at_risk":
      return health.confidence === "low" ? "Provisional: limited data." : null;
  }
}
