/**
 * How a sender's message became the internal one, for people to read. It is stored with the message, so it contains
 * no more of the sender's text than may be stored anyway.
 */

/** Lists the fields of a place that can name an account, in the order in which they are read. */
export const accountFieldsIn = <Place extends string>(place: Place) =>
  (["accountId", "company_id", "account_id", "group_id"] as const).map((key) => `${place}${key}` as const);

/** All fields that can name an account. The database stores their positions: append new ones at the end. */
export const ACCOUNT_FIELDS = [
  ...accountFieldsIn(""),
  "groupId",
  ...accountFieldsIn("properties."),
  ...accountFieldsIn("traits."),
  ...accountFieldsIn("context."),
  "context.groupId",
  "traits.company.id",
] as const;
export type AccountField = (typeof ACCOUNT_FIELDS)[number];

export type TimeField = "timestamp" | "originalTimestamp";

export interface Mapping {
  /** The event name as sent, without personal data. Absent if it is stored as sent. */
  sentName?: string;
  /** The field that named the account. Absent if no field did. */
  accountField?: AccountField;
  /** The field that the time was read from. Absent if the time of receipt is used. */
  timeField?: TimeField;
  /** How many milliseconds the sender's clock was slow (negative if fast) at `sentAt`. Absent if nothing was corrected. */
  clockSlowMs?: number;
  /** Why the time of receipt replaced an impossible time. `past` means before the year 0. */
  replaced?: "future" | "past";
}
