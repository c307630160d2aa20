/** Health in the words that people read. */
import type { Component, Confidence, Health, HealthState, Stage } from "../../core/health/model.ts";
import { describeMissing } from "../../core/health/texts.ts";
import type { Tone } from "../components/elements.tsx";

export const STATES: Readonly<Record<HealthState, { name: string; tone: Tone }>> = {
  healthy: { name: "Healthy", tone: "good" },
  watch: { name: "Watch", tone: "watch" },
  at_risk: { name: "At risk", tone: "bad" },
  insufficient_data: { name: "Not enough data", tone: "none" },
  churned: { name: "Churned", tone: "none" },
  stale: { name: "Stands still", tone: "none" },
};

export const COMPONENT_WORDS: Readonly<Record<Component, { name: string; meaning: string }>> = {
  recency: { name: "Recency", meaning: "how recently it was used, against its own longest gaps" },
  frequency: { name: "Frequency", meaning: "on how many days of 28 it was used, against what is typical here" },
  breadth: { name: "Breadth", meaning: "how many of its people used it in 28 days, against its seats" },
  depth: { name: "Depth", meaning: "how many core features were in use in 28 days" },
  trend: { name: "Trend", meaning: "use of the last 14 days, against the weeks before" },
};

export const CONFIDENCE_WORDS: Readonly<Record<Confidence, string>> = { low: "Low", medium: "Medium", high: "High" };

export const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  trial: "Trial",
  active: "Customer",
  churned: "Churned",
};

/** Why there is no score, or what is to be known of the one there is; `null` where nothing is. */
export function caveatOf(health: Health | null): string | null {
  if (health === null) return "The next recompute judges it.";
  switch (health.state) {
    case "insufficient_data":
      return health.missing.map(describeMissing).join(" ");
    case "churned":
      return "It has left: there is nothing to score.";
    case "stale":
      return "Nothing arrives in the whole workspace, so scores stand still.";
    case "healthy":
    case "watch":
    case "at_risk":
      return health.confidence === "low" ? "Provisional: little is known yet." : null;
  }
}
