/**
 * How a sender's message became the internal one: what the stored message does not tell by itself. It is kept beside it
 * for people to read, so it holds no more of the sender's text than what may be stored anyway.
 */

/** The fields that can name an account. The store knows them by their places: new ones go to the end. */
export const ACCOUNT_FIELDS = [
  "accountId",
  "company_id",
  "account_id",
  "group_id",
  "groupId",
  "properties.accountId",
  "properties.company_id",
  "properties.account_id",
  "properties.group_id",
  "traits.accountId",
  "traits.company_id",
  "traits.account_id",
  "traits.group_id",
  "context.accountId",
  "context.company_id",
  "context.account_id",
  "context.group_id",
  "context.groupId",
  "traits.company.id",
] as const;
export type AccountField = (typeof ACCOUNT_FIELDS)[number];

export type TimeField = "timestamp" | "originalTimestamp";

export interface Mapping {
  /** The name of the event as it was sent, without personal data; only where it is stored as another one. */
  sentName?: string;
  /** The field that named the account; absent where none did. */
  accountField?: AccountField;
  /** The field that the time was read from; absent where there was none, and the time of receipt stands for it. */
  timeField?: TimeField;
  /** By how many milliseconds the sender's clock was slow (fast below 0) at `sentAt`, where the time was corrected by that. */
  clockSlowMs?: number;
  /** Where the time, corrected or not, could not be: the time of receipt stands for it. `past`: before the year 0. */
  replaced?: "future" | "past";
}
