/** Reads a compatibility body: one message, `{"batch": […]}`, or a bare array. See docs/wire/batches.md §4.1. */
import { isJsonObject, type JsonObject } from "../json.ts";
import { type CdpContext, mapCdpMessage, readType } from "./from-cdp.ts";
import { accountFieldsIn, laterAccountFieldsIn, type Message, type Redaction, type Rejection } from "./message.ts";
import { jsonBytes, measureMessage, maxBytes } from "./message-size.ts";
import { readOptionalTime } from "./occurred-at.ts";

export const MAX_BATCH_MESSAGES = 1_000;

/** A batch's context belongs to each of its messages. Without a limit, a small body could expand into a huge one. */
const MAX_CONTEXT_BYTES = 512 * 1_024;
/** What the service reads of a context. */
const CONTEXT_KEYS: ReadonlySet<string> = new Set([...accountFieldsIn(""), ...laterAccountFieldsIn(""), "traits"]);

type CdpBodyOptions = Omit<CdpContext, "batchSentAt" | "batchContext">;

/** A body with its messages counted but not yet mapped. */
export interface CdpBody {
  /** Whether the body is one message instead of a batch. */
  readonly lone: boolean;
  readonly items: readonly unknown[];
  /** The batch's `sentAt`, in milliseconds since the epoch. */
  readonly sentAt: number | null;
  /** What is read of the batch's `context`. */
  readonly context: JsonObject | null;
}

interface CdpBodyFault {
  readonly ok: false;
  readonly reason: "invalid" | "batch_too_large";
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
  const { items, lone, sentAt, context, path } = readForm(body);
  if (!Array.isArray(items)) {
    const message = 'The body must be a message, {"batch": [messages]}, or an array of messages.';
    return { ok: false, reason: "invalid", message, path };
  }
  if (items.length > MAX_BATCH_MESSAGES) {
    const message = `The batch has more than ${MAX_BATCH_MESSAGES} messages. Send it in parts.`;
    return { ok: false, reason: "batch_too_large", message, path };
  }
  if (context !== null && maxBytes(context, 2) === Infinity) {
    const message = "The batch's context is nested too deeply, or has a number that doesn't fit into a double.";
    return { ok: false, reason: "invalid", message, path: "context" };
  }
  if (context !== null && jsonBytes(context) * items.length > MAX_CONTEXT_BYTES) {
    const message = "The batch's context is too large to be part of each message. Send the batch in parts.";
    return { ok: false, reason: "batch_too_large", message, path: "context" };
  }
  return { ok: true, items, lone, sentAt, context };
}

/** Returns whether the body is one message of a supported type, and too large. Such a request is not charged. */
export function isTooLarge({ items: [item], lone }: CdpBody, pathType: string | null): boolean {
  if (!lone || !isJsonObject(item)) return false;
  return typeof readType(item, pathType) === "string" && measureMessage(item) === "too_large";
}

/** Maps the messages of a body. An invalid message becomes a rejection and never fails the others. */
export function mapCdpBody({ items, lone, ...batch }: CdpBody, options: CdpBodyOptions): CdpBatch {
  const context: CdpContext = { ...options, batchSentAt: batch.sentAt, batchContext: batch.context };
  const messages: Message[] = [];
  const rejections: Rejection[] = [];
  const redactions: Redaction[] = [];
  for (const [index, item] of items.entries()) {
    const mapped = mapCdpMessage(lone ? item : unwrap(item), index, context);
    if (mapped.ok) messages.push(mapped.message);
    else rejections.push(mapped.rejection);
    const { messageId } = mapped.ok ? mapped.message : mapped.rejection;
    if (mapped.redacted.length > 0) redactions.push({ index, messageId, paths: mapped.redacted });
  }
  return { messages, rejections, redactions };
}

function readForm(body: unknown) {
  const none = { path: null, sentAt: null, context: null };
  if (!isJsonObject(body)) return { ...none, items: body, lone: false };
  if (!Object.hasOwn(body, "batch")) return { ...none, items: [body], lone: true };
  const { batch, sentAt, context = null } = body;
  const read = isJsonObject(context) ? Object.entries(context).filter(([key]) => CONTEXT_KEYS.has(key)) : [];
  return {
    items: batch,
    lone: false,
    path: "batch",
    sentAt: readOptionalTime(sentAt),
    context: read.length === 0 ? null : Object.fromEntries(read),
  };
}

/** Some senders post the entries of their queue, with each message in a field `json`. */
function unwrap(item: unknown): unknown {
  if (!isJsonObject(item) || !Object.hasOwn(item, "json")) return item;
  const isEnvelope = Object.keys(item).length === 1 || (isJsonObject(item["json"]) && !Object.hasOwn(item, "type"));
  return isEnvelope ? item["json"] : item;
}
