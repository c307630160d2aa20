/** What to do about an item, and when it closes by itself (docs/health.md §12.6). */
import type { ItemKind } from "./model.ts";

export interface Advice {
  suggestedAction: string;
  closesWhen: string;
}

export const ADVICE: Readonly<Record<ItemKind, Advice>> = {
  trial_ending_low_activity: {
    suggestedAction:
      "Talk to them before the trial ends: find out what keeps them from using it, and offer help or more time.",
    closesWhen: "The trial converts, its end moves or its activity recovers; or 3 days after its end.",
  },
  trial_ending_ready: {
    suggestedAction: "Propose the contract now, while they are using it well.",
    closesWhen: "The trial converts, its end moves or its activity becomes low; or 3 days after its end.",
  },
  trial_expired: {
    suggestedAction: "Find out how they decided: convert the account, extend the trial or mark it as lost.",
    closesWhen: "The stage is no longer a trial, or the trial's end moves.",
  },
  never_activated: {
    suggestedAction: "Offer to set it up together, and ask what they meant to use it for.",
    closesWhen: "It is active on a third day, or an item about its trial opens.",
  },
  usage_drop: {
    suggestedAction: "Ask what changed: look for a problem of theirs, a change of team or another tool.",
    closesWhen: "Use is at 80% of what is expected for 3 days, or the account falls silent; or after 28 days.",
  },
  slow_decline: {
    suggestedAction: "Review with them what they use it for today, and what they have stopped using it for.",
    closesWhen: "Use is at 70% of its own best, or the account falls silent; or after 90 days.",
  },
  gone_silent: {
    suggestedAction: "Get in touch: make sure that nothing keeps them from using it, and that they mean to come back.",
    closesWhen: "It is active on 2 days within 5 business days.",
  },
  key_user_quiet: {
    suggestedAction: "Find out whether this person is still there, and who takes over the work.",
    closesWhen:
      "The user is back, another one has at least 30% of the use, or the account falls silent; or after 90 days.",
  },
  seats_nearly_full: {
    suggestedAction: "Propose more seats before they run out of them.",
    closesWhen: "Fewer than 85% of the seats are in use, or the number of seats changes.",
  },
  usage_growth: {
    suggestedAction: "Ask what made the difference, and whether a larger plan or more seats would help.",
    closesWhen: "After 28 days.",
  },
  feature_dropped: {
    suggestedAction: "Ask how they do now what they used this feature for.",
    closesWhen: "The feature is used on 2 days, or the account falls silent; or after 90 days.",
  },
  contraction: {
    suggestedAction: "Find out why they cut back, and what would make the rest of the contract safe.",
    closesWhen: "After 30 days.",
  },
  health_dropped: {
    suggestedAction: "Look at what lowered the score, and ask about it.",
    closesWhen: "The score has recovered, or a more specific item opens.",
  },
  tracking_stopped: {
    suggestedAction: "Check the sender: its key, its last deploy and the list of rejected messages.",
    closesWhen: "Events arrive again.",
  },
};
