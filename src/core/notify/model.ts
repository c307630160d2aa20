/** Types of notifications: docs/notifications.md. */
import type { ItemKind, Severity } from "../inbox/model.ts";

export const DESTINATION_KINDS = ["webhook", "slack", "teams"] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/** What a destination can subscribe to. */
export const SUBSCRIBED_EVENTS = ["inbox.opened", "inbox.resolved", "health.changed", "digest"] as const;
export type SubscribedEvent = (typeof SUBSCRIBED_EVENTS)[number];
/** A summary replaces many notifications for people; a test has no news. */
export const NOTIFICATION_TYPES = [...SUBSCRIBED_EVENTS, "summary", "test"] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** All that are present must hold. `kinds` and `minSeverity` concern items only. */
export interface NewsFilter {
  kinds?: ItemKind[] | undefined;
  minSeverity?: Severity | undefined;
  /** In the account's own currency. */
  minMrr?: number | undefined;
  owner?: string | undefined;
}

export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** When digests are sent: `at` is a time of day such as `09:00` in the workspace's time zone. */
export interface DigestTimes {
  every: "day" | "week";
  at: string;
  /** Of weekly digests. */
  weekday?: (typeof WEEKDAYS)[number] | undefined;
}

export const DISABLED_REASONS = [
  /** An administrator or a key did it. */
  "requested",
  /** The receiver says that the address is gone. */
  "gone",
  /** Every attempt has failed for days. */
  "failing",
  /** A restore from a backup brought it back. It may have been deleted since the backup. */
  "restored",
] as const;

export const ATTEMPT_OUTCOMES = [
  "delivered",
  /** The receiver has answered with a status other than 2xx, or with a redirect, which is not followed. */
  "refused",
  "timed_out",
  /** No connection, or the connection broke. */
  "unreachable",
  /** Nothing was sent, because the deployment can't open the URL and the signing secret. */
  "unreadable",
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
