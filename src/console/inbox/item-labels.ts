/** Labels and sentences of items. */
import { dateOf, inFigures, inPercent } from "../../core/health/texts.ts";
import { isOpportunity } from "../../core/inbox/kind-names.ts";
import type { ItemKind, Severity } from "../../core/inbox/model.ts";
import { describeItem, USER_DAY_MEANING } from "../../core/inbox/texts.ts";
import { namesIn } from "../../services/present/present-item.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import type { BadgeTone } from "../components/elements.tsx";
import { labelOf } from "../ask/answer-labels.ts";
import { truncate } from "../components/truncate.ts";

export const toneOf = (kind: ItemKind, severity: Severity): BadgeTone => {
  if (isOpportunity(kind)) return "good";
  return TONES[severity];
};

const TONES = { critical: "critical", high: "bad", medium: "watch", low: "none" } as const satisfies Record<
  Severity,
  BadgeTone
>;

/** The evidence whose code is not its name. */
const EVIDENCE_LABELS: Readonly<Record<string, string>> = {
  age_days: "Days since first seen",
  best_user_days: "User-days, against the best 28 days",
  core_features: "Core features used",
  days_left: "Days until the contract ends",
  gap_business_days: "Business days without activity",
  healthy_days: "Healthy days in a row",
  last_day: "Last active",
  score: "Health score",
  score_before: "Health score 14 days earlier",
  share: "Share of account usage",
  users: "Users of the feature",
  z: "Deviation from normal (z-score)",
};

export const evidenceLabel = (code: string): string => EVIDENCE_LABELS[code] ?? labelOf(code);

export function formatEvidence(code: string, value: number): string {
  if (code === "last_day") return dateOf(value);
  return code === "share" ? inPercent(value) : inFigures(value).replace("-", "−");
}

/** Writes the sentences of an item with truncated names, because each name appears several times. Pages explain “user-day” by a title. */
export function itemTexts(item: StoredItem) {
  const { account, subject } = namesIn(item);
  const names = { account: truncate(account), ...(subject !== undefined && { subject: truncate(subject) }) };
  const { why, ...texts } = describeItem(item, names);
  return { ...texts, why: why.replace(` ${USER_DAY_MEANING}`, "") };
}

export const isSnoozed = (item: StoredItem): item is StoredItem & { snoozedUntil: number } =>
  item.snoozedUntil !== null && item.snoozedUntil > Date.now();
