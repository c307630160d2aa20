/** Labels of destinations. */
import { KIND_NAMES as ITEM_KIND_NAMES } from "../../core/inbox/kind-names.ts";
import type {
  AttemptOutcome,
  DestinationKind,
  DigestTimes,
  DISABLED_REASONS,
  NewsFilter,
  NotificationType,
  SubscribedEvent,
} from "../../core/notify/model.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { truncate } from "../components/truncate.ts";

export const KIND_NAMES: Record<DestinationKind, string> = {
  webhook: "Webhook",
  slack: "Slack",
  teams: "Microsoft Teams",
};

export const EVENT_NAMES: Record<SubscribedEvent, string> = {
  "inbox.opened": "Opened items",
  "inbox.resolved": "Resolved items",
  "health.changed": "Changes of health",
  digest: "Digest",
};

export const EVENT_NOTES: Record<SubscribedEvent, string> = {
  "inbox.opened": "an account needs attention",
  "inbox.resolved": "the account has recovered, or the item has ended for another reason",
  "health.changed": "an account becomes healthy, watch or at risk",
  digest: "one message a day or a week: what opened, was resolved and is still open",
};

/** One notification of each type. */
export const NOTIFICATION_NAMES: Record<NotificationType, string> = {
  "inbox.opened": "Opened item",
  "inbox.resolved": "Resolved item",
  "health.changed": "Change of health",
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

/** What to do about the status of a response; `null` if it says no more than that it is refused. */
export function statusNote(kind: DestinationKind, status: number | null): string | null {
  if (status !== 404 && status !== 410) return null;
  return kind === "webhook"
    ? "The receiver has nothing at this URL."
    : `This webhook no longer exists: create a new one in ${KIND_NAMES[kind]}, and change the URL here.`;
}

export const REASON_TEXTS: Record<(typeof DISABLED_REASONS)[number], string | null> = {
  requested: null,
  gone: "The receiver says that this address is gone.",
  failing: "Nothing could be delivered for 3 days.",
  restored: "It was restored from a backup. Enable it if it still holds.",
};

const AMOUNT = new Intl.NumberFormat("en");

export const filterText = ({ kinds, minSeverity, minMrr, owner }: NewsFilter): string | null =>
  [
    kinds && `kinds: ${kinds.map((kind) => ITEM_KIND_NAMES[kind]).join(", ")}`,
    minSeverity && `severity ${minSeverity} or higher`,
    minMrr !== undefined && `MRR of at least ${AMOUNT.format(minMrr)}`,
    owner !== undefined && `accounts of ${truncate(owner)}`,
  ]
    .filter(Boolean)
    .join("; ") || null;

export const digestText = (digest: DigestTimes | null, timezone: string): string | null =>
  digest &&
  `${digest.every === "day" ? "every day" : `every ${labelOf(digest.weekday ?? "monday")}`} at ${digest.at} (${timezone})`;
