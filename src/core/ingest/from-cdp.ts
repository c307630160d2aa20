/**
 * Maps one compatibility message to the internal one, or to a rejection with its reason: see docs/wire/messages.md
 * §4.2.
 *
 * This runs up to 1,000 times in a request, so it reads the few fields it needs by hand, without a schema.
 */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { readCdpAttributes } from "./cdp-attributes.ts";
import { readCdpTraits } from "./cdp-traits.ts";
import { mapEventName, MAX_EVENT_CHARACTERS } from "./event-name.ts";
import { readCdpIdentifiers, type CdpIdentifiers } from "./identifiers.ts";
import {
  invalid,
  type Mapping,
  type Message,
  type MessageType,
  type Rejection,
  type RejectionReason,
} from "./message.ts";
import { NO_TIME } from "./iso-time.ts";
import { findNotFinite, MAX_DEPTH, MAX_MESSAGE_BYTES, measureMessage, NOT_FINITE, maxBytes } from "./message-size.ts";
import { pathSegment, redact, redactText } from "./personal-data.ts";
import { rejectMessage } from "./rejection.ts";
import { cutText, isLongerThan } from "./text.ts";
import { readOccurredAt } from "./occurred-at.ts";

export const MAX_RAW_EVENT_CHARACTERS = 256;
export const TOO_LARGE = `The message is larger than ${MAX_MESSAGE_BYTES} bytes as compact JSON.`;

const NOT_AN_OBJECT = { code: "invalid_message", message: "A message must be a JSON object.", path: null } as const;

export interface CdpContext {
  readonly receivedAt: number;
  /** The batch's `sentAt`, for messages without one. */
  readonly batchSentAt: number | null;
  /** The batch's `context`: the default for the keys of each message's own. */
  readonly batchContext: JsonObject | null;
  /** The type that the request's path names, for messages without one. */
  readonly pathType: string | null;
  /** Called only for accepted messages without an id. */
  readonly newMessageId: (index: number) => string;
}

/** `redacted` says where personal data was removed, as in `traits.email`. */
type MappedMessage =
  | { readonly ok: true; readonly message: Message; readonly redacted: string[] }
  | { readonly ok: false; readonly rejection: Rejection; readonly redacted: string[] };

/** Maps one item of a batch. Never throws. */
export function mapCdpMessage(raw: unknown, index: number, context: CdpContext): MappedMessage {
  if (!isJsonObject(raw))
    return { ok: false, rejection: rejectMessage({}, index, null, NOT_AN_OBJECT, []), redacted: [] };
  const redacted: string[] = [];
  const type = readType(raw, context.pathType);
  const message = withContext(raw, context.batchContext);
  const result =
    typeof type === "string" ? (checkShape(raw) ?? mapTyped(message, type, index, context, redacted)) : type;
  if ("occurredAt" in result) return { ok: true, message: result, redacted };
  const kept: string[] = [];
  const statedType = typeof raw["type"] === "string" ? raw["type"] : context.pathType;
  return { ok: false, rejection: rejectMessage(message, index, statedType, result, kept), redacted: kept };
}

function withContext(raw: JsonObject, batchContext: JsonObject | null): JsonObject {
  if (batchContext === null) return raw;
  const own = raw["context"];
  return { ...raw, context: isJsonObject(own) ? { ...batchContext, ...own } : batchContext };
}

function mapTyped(
  raw: JsonObject,
  type: MessageType,
  index: number,
  context: CdpContext,
  redacted: string[],
): Message | RejectionReason {
  const ids = readCdpIdentifiers(raw, type);
  const badIds = ids.problem ?? checkNamed(ids, type);
  if (badIds !== null) return badIds;

  const mapping: Mapping = {};
  if (ids.accountField !== null) mapping.accountField = ids.accountField;
  const event = type === "track" ? readEvent(raw["event"], redacted, mapping) : null;
  if (event !== null && typeof event !== "string") return event;

  const time = readOccurredAt(raw, context.receivedAt, context.batchSentAt, mapping);
  if (typeof time === "string") return invalid(time, NO_TIME);

  const properties = isJsonObject(raw["properties"]) ? redact(raw["properties"], "properties", redacted) : null;
  const placedTraits = readCdpTraits(raw, type, ids.accountId, redacted);
  const read = readCdpAttributes(type, ids.userId !== null, placedTraits, properties, raw, redacted);
  return {
    index,
    type,
    messageId: ids.messageId ?? context.newMessageId(index),
    userId: ids.userId,
    accountId: ids.accountId,
    event,
    properties: type === "track" ? properties : null,
    ...read,
    occurredAt: time,
    mapping,
  };
}

/** Returns the type of a message, valid or not, or why the service doesn't support it. Its letter case doesn't matter. */
export function readType(raw: JsonObject, pathType: string | null): MessageType | RejectionReason {
  const stated = raw["type"] ?? pathType;
  const type = typeof stated === "string" ? stated.toLowerCase() : stated;
  if (pathType !== null && type !== pathType) return invalid("type", "contradicts the path of the request");
  if (type === "track" || type === "identify" || type === "group") return type;
  // The messages may be in a field of the body that only looks like `batch`.
  const message =
    stated == null
      ? 'type is missing: it must be track, identify or group. To send several messages, send {"batch": [messages]} or an array.'
      : "type must be track, identify or group.";
  return { code: "unsupported_type", message, path: "type" };
}

function checkShape(raw: JsonObject): RejectionReason | null {
  const measure = measureMessage(raw);
  if (measure === "too_deep") {
    const message = `The message is nested more than ${MAX_DEPTH} levels deep.`;
    return { code: "invalid_message", message, path: null };
  }
  if (measure === "not_finite") {
    return invalid((findNotFinite(raw) ?? []).map(pathSegment).join("."), NOT_FINITE);
  }
  if (measure === "too_large") return { code: "message_too_large", message: TOO_LARGE, path: largestPath(raw) };
  if (!isPart(raw["properties"])) return invalid("properties", "must be an object");
  if (!isPart(raw["traits"])) return invalid("traits", "must be an object");
  return null;
}

/** PHP writes an empty object as an empty array. */
function isPart(value: Json | undefined): boolean {
  return value === undefined || value === null || isJsonObject(value) || (Array.isArray(value) && value.length === 0);
}

function checkNamed(ids: CdpIdentifiers, type: MessageType): RejectionReason | null {
  if (ids.accountId !== null) return null;
  if (type === "group") return invalid("groupId", "is missing: a group message must name its account");
  return ids.userId === null ? invalid("userId", "is missing, and the message names no account either") : null;
}

function readEvent(event: Json | undefined, redacted: string[], mapping: Mapping): string | RejectionReason {
  if (event === undefined || event === null || event === "") return invalid("event", "is missing");
  if (typeof event !== "string") return invalid("event", "must be a string");
  if (isLongerThan(event, MAX_RAW_EVENT_CHARACTERS)) {
    return invalid("event", `must be at most ${MAX_RAW_EVENT_CHARACTERS} characters long`);
  }
  const clean = redactText(event, "event", redacted);
  const name = mapEventName(clean);
  // `[redacted]` can be longer than the address it replaces.
  if (clean !== name) mapping.sentName = cutText(clean, MAX_RAW_EVENT_CHARACTERS);
  const rule = `must have a letter or a digit, and at most ${MAX_EVENT_CHARACTERS} characters in its dotted form`;
  return name ?? invalid("event", rule);
}

/** Finds the field that makes the message large, by an estimate and to two levels. People look there first. */
function largestPath(raw: JsonObject): string {
  const key = largestKey(raw);
  const value = raw[key];
  const path = pathSegment(key);
  return isJsonObject(value) ? `${path}.${pathSegment(largestKey(value))}` : path;
}

function largestKey(object: JsonObject): string {
  let largest = "";
  let largestBytes = -1;
  for (const [key, value] of Object.entries(object)) {
    const bytes = maxBytes(key, 1) + maxBytes(value, 1);
    if (bytes > largestBytes) [largest, largestBytes] = [key, bytes];
  }
  return largest;
}
