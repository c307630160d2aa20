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

export const RESOLUTION_TEXTS: Readonly<Record<Resolution, string>> = {
  recovered: "Recovered.",
  settled: "Usage stayed at the lower level.",
  converted: "The trial became a customer.",
  renewed: "The contract was extended.",
  moved: "The end date was moved.",
  changed: "The situation changed.",
  expired: "Expired.",
  silent: "The account went silent. Another item covers that.",
  churned: "The account churned.",
  superseded: "A more specific item was open.",
  withdrawn: "Late events disproved it.",
};
