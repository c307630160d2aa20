/**
 * The internal message. Native captures and compatibility messages both become this. After the mapping nothing depends
 * on the path that a message took, except the batch's `source`.
 */
import type { JsonObject } from "../json.ts";

export type MessageType = "track" | "identify" | "group";

/** `null` clears an attribute; an absent one stays as it is. */
export interface AccountAttributes {
  stage?: string | null;
  /** ISO 8601 in UTC, as `Date.prototype.toISOString` writes it. */
  trialEndsAt?: string | null;
  plan?: string | null;
  seats?: number | null;
  mrr?: number | null;
  /** ISO 4217, in capitals. */
  currency?: string | null;
  /** As `trialEndsAt`. */
  contractEndsAt?: string | null;
}

export interface Message {
  /** The position in the request, from 0. */
  index: number;
  type: MessageType;
  /** The sender's id or a generated one; unique within the workspace and the source. */
  messageId: string;
  userId: string | null;
  /** The account that the message itself names. Its user's account may differ. */
  accountId: string | null;
  /** The dotted lower-case name of a `track`; otherwise `null`. */
  event: string | null;
  /** The properties of a `track` without personal data; otherwise `null`. */
  properties: JsonObject | null;
  /** The free-form traits of the user in an `identify` or a `group`, without personal data; otherwise `null`. A `null` value removes. */
  traits: JsonObject | null;
  /** The same of the account. */
  accountTraits: JsonObject | null;
  attributes: AccountAttributes | null;
  /** Milliseconds since the epoch, corrected for the sender's clock. */
  occurredAt: number;
  mapping: Mapping;
}

/** Lists the fields of a place that can name an account, in the order in which they are read. */
export const accountFieldsIn = <Prefix extends string>(prefix: Prefix) =>
  (["accountId", "company_id", "account_id", "group_id"] as const).map((key) => `${prefix}${key}` as const);

/** Lists more such fields, which are read after all others. */
export const laterAccountFieldsIn = <Prefix extends string>(prefix: Prefix) =>
  (["groupId", "companyId"] as const).map((key) => `${prefix}${key}` as const);

/** All fields that can name an account. The database stores their positions: append new ones at the end. */
export const ACCOUNT_FIELDS = [
  ...accountFieldsIn(""),
  "groupId",
  ...accountFieldsIn("properties."),
  ...accountFieldsIn("traits."),
  ...accountFieldsIn("context."),
  "context.groupId",
  "traits.company.id",
  ...accountFieldsIn("context.traits."),
  "context.traits.company.id",
  "companyId",
  ...laterAccountFieldsIn("properties."),
  ...laterAccountFieldsIn("traits."),
  ...laterAccountFieldsIn("context.traits."),
  "context.companyId",
] as const;
export type AccountField = (typeof ACCOUNT_FIELDS)[number];

export type TimeField = "timestamp" | "originalTimestamp";

/**
 * How a sender's message became the internal one, for people to read. It is stored with the message, so it contains
 * no more of the sender's text than may be stored anyway.
 */
export interface Mapping {
  /** The event name as sent, without personal data. Absent if it is stored as sent. */
  sentName?: string;
  /** The field that named the account. Absent if no field did. */
  accountField?: AccountField;
  /** The field that the time was read from. Absent if the time of receipt is used. */
  timeField?: TimeField;
  /** How many milliseconds the sender's clock was slow (negative if fast) at `sentAt`. Absent if nothing was corrected. */
  clockSlowMs?: number;
  /** Why the time of receipt replaced an impossible time. `past` means that a corrected time was before 2000. */
  replaced?: "future" | "past";
  /** The field of a time before 2000, which counted as absent. */
  unsetField?: TimeField;
}

/** Each source has its own name space of message ids. */
export type Source = "cdp" | "native";

/** The messages of one request, to be stored in one transaction. */
export interface IngestBatch {
  source: Source;
  receivedAt: number;
  messages: readonly Message[];
  rejections: readonly Rejection[];
}

type RejectionCode = "invalid_message" | "unsupported_type" | "message_too_large";

export interface Rejection {
  index: number;
  /**
   * Whether client libraries send it automatically: then it is no sender's error. It is a `page`, `screen` or `alias`, or
   * names nobody, because the visitor hasn't signed in.
   */
  automatic: boolean;
  messageId: string | null;
  code: RejectionCode;
  /** A sentence for people. It names the field and never quotes a value of the sender. */
  message: string;
  /** The invalid field, as in `traits.company_id`. */
  path: string | null;
  /** What people can read later. `null` if it is only counted, because client libraries send floods of it. */
  kept: KeptMessage | null;
}

export type RejectionReason = Pick<Rejection, "code" | "message" | "path">;

/** What is kept of a rejected message, without personal data. */
export interface KeptMessage extends Pick<Message, "userId" | "accountId" | "event" | "properties"> {
  type: string | null;
  messageId: string | null;
  /** Traits of the user or the account. */
  traits: JsonObject | null;
}

/** Where personal data was removed from a message, as in `traits.email`. Includes rejected messages that are kept. */
export interface Redaction {
  index: number;
  messageId: string | null;
  paths: string[];
}

/** A sentence about an invalid field. The path is empty for the body as a whole. */
export interface Issue {
  path: string;
  message: string;
}

/** Builds the reason of an invalid message. `problem` completes the sentence "<path> …". */
export function invalid(path: string, problem: string): RejectionReason {
  return { code: "invalid_message", message: `${path} ${problem}.`, path };
}
