/**
 * The one internal message. Native capture and the compatibility path both become this, and past the mapping
 * nothing knows which of them it came by, bar the batch's `source` label.
 */
import type { JsonObject } from "../json.ts";
import type { Mapping } from "./mapping.ts";

export type MessageType = "track" | "identify" | "group";

/** `null` clears the attribute, an absent key leaves it. */
export interface AccountAttributes {
  stage?: string | null;
  /** ISO 8601 in UTC, as `Date.prototype.toISOString` writes it. */
  trialEndsAt?: string | null;
  plan?: string | null;
  seats?: number | null;
  mrr?: number | null;
  /** ISO 4217, in capitals. */
  currency?: string | null;
}

export interface Message {
  /** The place in the request as sent, from 0. */
  index: number;
  type: MessageType;
  /** The sender's, or one made here; unique within the workspace and the source. */
  messageId: string;
  userId: string | null;
  /** The account that the message itself names; never one that follows from its user. */
  accountId: string | null;
  /** Dotted lower case; of a `track` only. */
  event: string | null;
  /** Of a `track` only. Personal data is gone. */
  properties: JsonObject | null;
  /** The free-form traits of an `identify` or a `group`; a `null` value removes. Personal data is gone. */
  traits: JsonObject | null;
  attributes: AccountAttributes | null;
  /** Milliseconds since the epoch, corrected for the sender's clock. */
  occurredAt: number;
  /** How it came to be what it is; of no consequence for what is done with it. */
  mapping: Mapping;
}

/** Each source is a name space of message ids of its own. */
export type Source = "cdp" | "native";

/** What one request asks to be stored, in one transaction. */
export interface IngestBatch {
  source: Source;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  messages: readonly Message[];
  rejections: readonly Rejection[];
}

export type RejectionCode = "invalid_message" | "unsupported_type" | "message_too_large";

/** A message that is not stored, and why. */
export interface Rejection {
  index: number;
  /** Whether client libraries send it by themselves (`page`, `screen`, `alias`): no error of the sender's. */
  unasked: boolean;
  messageId: string | null;
  code: RejectionCode;
  /** A sentence for a person, naming the field and never a value of the sender's. */
  message: string;
  /** The field at fault, as `traits.company_id`. */
  path: string | null;
  /** What people may read of it later; `null` where it is only counted: client libraries send floods of those. */
  kept: KeptMessage | null;
}

/** Personal data is gone here too. */
export interface KeptMessage {
  type: string | null;
  messageId: string | null;
  userId: string | null;
  accountId: string | null;
  event: string | null;
  properties: JsonObject | null;
  traits: JsonObject | null;
}

/** Where in a message personal data was removed, as `traits.email`; of a rejected one too, unless it is only counted. */
export interface Redaction {
  index: number;
  messageId: string | null;
  paths: string[];
}
