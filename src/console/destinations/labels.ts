/** Labels of destinations. */
import type { AttemptOutcome, DestinationKind, NotificationType, DISABLED_REASONS } from "../../core/notify/model.ts";

export const KIND_NAMES: Record<DestinationKind, string> = {
  webhook: "Webhook",
  slack: "Slack",
  teams: "Microsoft Teams",
};

export const EVENT_NAMES: Record<NotificationType, string> = {
  "inbox.opened": "Opened items",
  "inbox.resolved": "Resolved items",
  "health.changed": "Changes of health",
  digest: "Digest",
  summary: "Summary",
  test: "Test",
};

export const OUTCOME_NAMES: Record<AttemptOutcome, string> = {
  delivered: "delivered",
  refused: "refused",
  timed_out: "no answer within 15 s",
  unreachable: "no connection",
  unreadable: "the deployment has lost its key",
};

export const REASON_TEXTS: Record<(typeof DISABLED_REASONS)[number], string> = {
  requested: "Someone disabled it.",
  gone: "The receiver says that this address is gone.",
  failing: "Nothing could be delivered for 3 days.",
  restored: "It was restored from a backup. Enable it if it still holds.",
};
