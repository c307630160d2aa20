/** Reads a compatibility body: one message, `{"batch": […]}`, or a bare array. See docs/wire.md §4.1. */
import { isJsonObject } from "../json.ts";
import { type CdpContext, isOfMessageType, mapCdpMessage } from "./from-cdp.ts";
import { readIsoTime } from "./iso-time.ts";
import type { Message, Redaction, Rejection } from "./message.ts";
import { measureMessage, type MessageMeasure } from "./message-size.ts";

export const MAX_BATCH_MESSAGES = 1_000;

type CdpBodyOptions = Omit<CdpContext, "batchSentAt">;

/** A body with its messages counted but not yet mapped. */
export interface CdpBody {
  /** Whether the body is one message instead of a batch. */
  readonly lone: boolean;
  readonly items: readonly unknown[];
  /** The batch's `sentAt`, in milliseconds since the epoch. */
  readonly sentAt: number | null;
  /** The measure of a lone message, which is needed before the request is charged. */
  readonly measured: MessageMeasure | null;
}

interface CdpBodyFault {
  readonly ok: false;
  readonly reason: "not_messages" | "too_many_messages";
  readonly message: string;
  readonly path: string | null;
}

/** Every item of a body is either a message or a rejection. */
export interface CdpBatch {
  readonly messages: Message[];
  readonly rejections: Rejection[];
  readonly redactions: Redaction[];
}

/** Finds the messages of a parsed body and counts them, so that the request can be charged. */
export function readCdpBody(body: unknown): ({ readonly ok: true } & CdpBody) | CdpBodyFault {
  const { items, lone, sentAt, path } = readForm(body);
  if (!Array.isArray(items)) {
    return fault("not_messages", 'The body must be a message, {"batch": [messages]}, or an array of messages.', path);
  }
  if (items.length > MAX_BATCH_MESSAGES) {
    return fault(
      "too_many_messages",
      `The batch has more than ${MAX_BATCH_MESSAGES} messages. Send it in parts.`,
      path,
    );
  }
  const [item]: unknown[] = items;
  return { ok: true, items, lone, sentAt, measured: lone && isJsonObject(item) ? measureMessage(item) : null };
}

/** Returns whether the body is one message of a supported type, and too large. */
export const isTooLarge = ({ items, measured }: CdpBody, pathType: string | null): boolean =>
  measured === "too_large" && isOfMessageType(items[0], pathType);

/** Maps the messages of a body. An invalid message becomes a rejection and never fails the others. */
export function mapCdpBody({ items, lone, sentAt, measured }: CdpBody, options: CdpBodyOptions): CdpBatch {
  const context: CdpContext = { ...options, batchSentAt: sentAt };
  const messages: Message[] = [];
  const rejections: Rejection[] = [];
  const redactions: Redaction[] = [];
  for (const [index, item] of items.entries()) {
    const mapped = mapCdpMessage(lone ? item : unwrap(item), index, context, measured);
    if (mapped.ok) messages.push(mapped.message);
    else rejections.push(mapped.rejection);
    const { messageId } = mapped.ok ? mapped.message : mapped.rejection;
    if (mapped.redacted.length > 0) redactions.push({ index, messageId, paths: mapped.redacted });
  }
  return { messages, rejections, redactions };
}

interface Form {
  readonly items: unknown;
  readonly lone: boolean;
  readonly path: string | null;
  readonly sentAt: number | null;
}

function readForm(body: unknown): Form {
  if (!isJsonObject(body)) return { items: body, lone: false, path: null, sentAt: null };
  if (!Object.hasOwn(body, "batch")) return { items: [body], lone: true, path: null, sentAt: null };
  return { items: body["batch"], lone: false, path: "batch", sentAt: readIsoTime(body["sentAt"], true) };
}

/** Some senders post the entries of their queue, with each message in a field `json`. */
function unwrap(item: unknown): unknown {
  if (!isJsonObject(item) || !Object.hasOwn(item, "json")) return item;
  const isEnvelope = Object.keys(item).length === 1 || (isJsonObject(item["json"]) && !Object.hasOwn(item, "type"));
  return isEnvelope ? item["json"] : item;
}

function fault(reason: CdpBodyFault["reason"], message: string, path: string | null): CdpBodyFault {
  return { ok: false, reason, message, path };
}
