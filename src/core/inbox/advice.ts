/** Suggests what to do about an item, and says when it closes automatically (docs/health.md §12.6). */
import type { ItemKind } from "./model.ts";

export interface Advice {
  suggestedAction: string;
  closesWhen: string;
}

export const ADVICE: Readonly<Record<ItemKind, Advice>> = {
  trial_ending_low_activity: {
    suggestedAction:
      "Call before the trial ends: find out what keeps them from using the product, and offer help or more time.",
    closesWhen: "The trial converts, its end moves, activity recovers, or 3 days pass after the end.",
  },
  trial_ending_ready: {
    suggestedAction: "Propose a contract now, while they use the product well.",
    closesWhen: "The trial converts, its end moves, activity becomes low, or 3 days pass after the end.",
  },
  trial_expired: {
    suggestedAction: "Find out what they decided: convert the account, extend the trial or mark it as lost.",
    closesWhen: "The stage is no longer trial, or the trial's end moves.",
  },
  never_activated: {
    suggestedAction: "Offer to set the product up together, and ask what they want to use it for.",
    closesWhen: "The account is active on a third day, or an item about its trial opens.",
  },
  usage_drop: {
    suggestedAction: "Ask what changed: they may have a problem, a new team or another tool.",
    closesWhen: "Usage is back at 80% of expected for 3 days, the account falls silent, or 28 days pass.",
  },
  slow_decline: {
    suggestedAction: "Review with them what they use the product for today, and what they have stopped using it for.",
    closesWhen: "Usage is back at 70% of the account's best, the account falls silent, or 90 days pass.",
  },
  gone_silent: {
    suggestedAction: "Get in touch: ask whether something blocks them and whether they plan to come back.",
    closesWhen: "The account is active on 2 days within 5 business days.",
  },
  key_user_quiet: {
    suggestedAction: "Find out whether this person is still there, and who takes over the work.",
    closesWhen: "The user is back, another user reaches 30% of the usage, the account falls silent, or 90 days pass.",
  },
  seats_nearly_full: {
    suggestedAction: "Propose more seats before they run out.",
    closesWhen: "Fewer than 85% of the seats are in use, or the number of seats changes.",
  },
  usage_growth: {
    suggestedAction: "Ask what made the difference, and whether a larger plan or more seats would help.",
    closesWhen: "28 days have passed.",
  },
  feature_dropped: {
    suggestedAction: "Ask how they now do what they used this feature for.",
    closesWhen: "The feature is used on 2 days, the account falls silent, or 90 days pass.",
  },
  contraction: {
    suggestedAction: "Find out why they reduced the contract, and what would secure the rest of it.",
    closesWhen: "30 days have passed.",
  },
  health_dropped: {
    suggestedAction: "Look at what lowered the score, and ask about it.",
    closesWhen: "The score recovers, or a more specific item opens.",
  },
  tracking_stopped: {
    suggestedAction: "Check what sends the events: its key, its last deployment and the rejected messages.",
    closesWhen: "Events arrive again.",
  },
};
