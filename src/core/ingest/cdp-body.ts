/**
 * The forms of a compatibility body: one message, `{"batch": […]}`, or a bare array. See docs/wire.md, Bodies.
 */
import { isJsonObject, type JsonObject } from "../json.ts";
import { type CdpContext, isOfMessageType, mapCdpMessage } from "./from-cdp.ts";
import { readIsoTime } from "./iso-time.ts";
import type { Message, Redaction, Rejection } from "./message.ts";
import { measureMessage, type MessageMeasure } from "./message-size.ts";

export const MAX_BATCH_MESSAGES = 1_000;

export type CdpBodyOptions = Omit<CdpContext, "batchSentAt">;

/** A body whose messages are counted, and not looked at yet. */
export interface CdpBody {
  /** Whether the body is one message, not a batch of any length. */
  readonly lone: boolean;
  readonly items: readonly unknown[];
  /** The batch's own, in milliseconds since the epoch. */
  readonly sentAt: number | null;
  /** Of a lone message, which is measured before it is charged for. */
  readonly measured: MessageMeasure | null;
}

export interface CdpBodyFault {
  readonly ok: false;
  readonly reason: "not_messages" | "too_many_messages";
  readonly message: string;
  readonly path: string | null;
}

/** Each item is a message or a rejection. */
export interface CdpBatch {
  readonly messages: Message[];
  readonly rejections: Rejection[];
  readonly redactions: Redaction[];
}

/** Finds the messages of a parsed body: so much is known before the body is charged for. */
export function readCdpBody(body: unknown): ({ readonly ok: true } & CdpBody) | CdpBodyFault {
  const { items, lone, sentAt, path } = readForm(body);
  if (!Array.isArray(items)) {
    return fault("not_messages", "The body must be a message, a batch of messages, or an array of them.", path);
  }
  if (items.length > MAX_BATCH_MESSAGES) {
    return fault("too_many_messages", `A batch must have at most ${MAX_BATCH_MESSAGES} messages.`, path);
  }
  const [item]: unknown[] = items;
  return { ok: true, items, lone, sentAt, measured: lone && isJsonObject(item) ? measureMessage(item) : null };
}

/** Whether the body is a lone message that is larger than any may be. One of a type that is not taken is no message. */
export const isTooLarge = ({ items, measured }: CdpBody, pathType: string | null): boolean =>
  measured === "too_large" && isOfMessageType(items[0], pathType);

/** Maps the messages of a body. Invalid ones are listed among the rejections; they never fail the others. */
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

/** Some senders post what their queue holds: each message as the `json` of an envelope. */
function unwrap(item: unknown): unknown {
  if (!isJsonObject(item) || !Object.hasOwn(item, "json")) return item;
  const isEnvelope = isOnlyKey(item) || (isJsonObject(item["json"]) && !Object.hasOwn(item, "type"));
  return isEnvelope ? item["json"] : item;
}

function isOnlyKey(object: JsonObject): boolean {
  return Object.keys(object).length === 1;
}

function fault(reason: CdpBodyFault["reason"], message: string, path: string | null): CdpBodyFault {
  return { ok: false, reason, message, path };
}
