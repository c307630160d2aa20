/** What people do about items and accounts (docs/wire/inbox.md §14). The recompute never reads it. */

export const DISMISS_REASONS = ["handled", "not_a_problem", "wrong", "other"] as const;
export type DismissReason = (typeof DISMISS_REASONS)[number];

/** Who marks without an API key. */
export const ADMINISTRATOR = "administrator";

/** What the log of an account records. */
export const ACTIVITIES = ["contacted", "note", "owner", "dismissed", "snoozed", "reopened"] as const;
export type Activity = (typeof ACTIVITIES)[number];
