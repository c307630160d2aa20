/** The names of the kinds of items. The inbox, answers and questions all use them. */
import { ITEM_KINDS, type ItemKind } from "./model.ts";

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
