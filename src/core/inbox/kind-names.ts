/** The names of the kinds of items, and why items were resolved. The inbox, answers, questions and notifications use them. */
import { ITEM_KINDS, type ItemKind, type Resolution } from "./model.ts";

export const KIND_NAMES: Readonly<Record<ItemKind, string>> = {
  trial_ending_low_activity: "Trial ending with low activity",
  trial_ending_ready: "Trial ending well",
  trial_expired: "Trial ended without a decision",
  never_activated: "Never activated",
  usage_drop: "Usage drop",
  slow_decline: "Slow decline",
  gone_silent: "Gone silent",
  key_user_quiet: "Key user inactive",
  seats_nearly_full: "Seats nearly full",
  usage_growth: "Usage growth",
  feature_dropped: "Feature abandoned",
  contraction: "Seats or MRR reduced",
  health_dropped: "Health dropped",
  renewal_at_risk: "Renewal at risk",
  tracking_stopped: "No events arriving",
};

export const isItemKind = (code: string): code is ItemKind => ITEM_KINDS.some((kind) => kind === code);

/** Good news: it follows the risks. */
const OPPORTUNITIES: ReadonlySet<ItemKind> = new Set(["trial_ending_ready", "seats_nearly_full", "usage_growth"]);
export const isOpportunity = (kind: ItemKind): boolean => OPPORTUNITIES.has(kind);

export const RESOLUTION_TEXTS: Readonly<Record<Resolution, string>> = {
  recovered: "The account recovered.",
  settled: "Usage stayed at the lower level, which is normal for the account now.",
  converted: "The trial became a customer.",
  renewed: "The contract was extended.",
  moved: "The end date was moved.",
  changed: "The account's stage, seats or dates changed, so this no longer applies.",
  expired: "It closed by itself after its usual time.",
  silent: "The account has gone silent, and another item says so.",
  churned: "The account churned.",
  superseded: "A more specific item about the account opened.",
  withdrawn: "Events that arrived late show that it did not happen.",
};

/** Kinds that end well without the recovery of an account. */
const RECOVERED_TEXTS: Readonly<Partial<Record<ItemKind, string>>> = {
  never_activated: "The account has started using the product.",
  key_user_quiet: "The user is active again, or another user has taken over.",
  seats_nearly_full: "Fewer seats are in use.",
  feature_dropped: "The feature is in use again.",
  tracking_stopped: "Events are arriving again.",
};

/** Says why an item was resolved. */
export const describeResolution = (kind: ItemKind, resolution: Resolution): string =>
  (resolution === "recovered" ? RECOVERED_TEXTS[kind] : undefined) ?? RESOLUTION_TEXTS[resolution];
