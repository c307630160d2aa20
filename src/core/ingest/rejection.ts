/**
 * What is kept of a message that is not stored, for people to find out why: see docs/wire.md, Rejected messages.
 */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { readCdpIdentifiers, type CdpIdentifiers, type Fault } from "./cdp-identifiers.ts";
import { mapEventName } from "./event-name.ts";
import { readIdentifier } from "./identifiers.ts";
import type { KeptMessage, Rejection } from "./message.ts";
import { jsonBytes, measureMessage } from "./message-size.ts";
import { redact, redactText, setOwn } from "./personal-data.ts";
import { cutText, isLongerThan } from "./text.ts";

/** Properties and traits together, as compact JSON in UTF-8. */
export const MAX_KEPT_BYTES = 4 * 1_024;
export const MAX_KEPT_EVENT_CHARACTERS = 256;
const MAX_KEPT_TYPE_CHARACTERS = 64;
/** `"":0` */
const SHORTEST_MEMBER_BYTES = 4;

const SENT_UNASKED: ReadonlySet<string | null> = new Set(["page", "screen", "alias"]);

/** Rejects what is no object: it names nobody, and there is nothing to keep. */
export function rejectNonObject(index: number): Rejection {
  const message = "A message must be a JSON object.";
  return { index, unasked: false, messageId: null, code: "invalid_message", message, path: null, kept: null };
}

/**
 * Rejects a message. Unsupported types and messages that name nobody are only counted, as client libraries send
 * floods of them; of any other its valid ids, event, properties and traits are kept, without personal data.
 *
 * @param type as read, the path's where the message has none
 * @param redacted where personal data was removed is appended here
 */
export function rejectMessage(
  message: JsonObject,
  index: number,
  type: string | null,
  fault: Fault,
  redacted: string[],
): Rejection {
  const ids = readCdpIdentifiers(message, type);
  const { code, path } = fault;
  const isCounted = code === "unsupported_type" || namesNobody(ids);
  const kept = isCounted ? null : keptMessage(message, type, ids, redacted);
  const unasked = code === "unsupported_type" && SENT_UNASKED.has(type);
  return { index, unasked, messageId: ids.messageId, code, message: fault.message, path, kept };
}

/**
 * Rejects a native capture. Like other rejects, it is only counted if it names neither a user nor an account.
 *
 * @param issues what is wrong with it, at least one
 */
export function rejectCapture(
  body: unknown,
  issues: readonly { path: string; message: string }[],
  messageId: string | null,
): Rejection {
  const message = issues.map((issue) => issue.message).join(" ");
  const rejection = { index: 0, unasked: false, messageId, code: "invalid_message", message } as const;
  const path = issues[0]?.path || null;
  if (!isJsonObject(body)) return { ...rejection, path, kept: null };
  const [userId, accountId] = [readIdentifier(body["userId"]), readIdentifier(body["accountId"])];
  const isAnonymous = userId.ok && userId.value === null && accountId.ok && accountId.value === null;
  if (isAnonymous) return { ...rejection, path, kept: null };
  const sent = { event: body["event"] ?? null, properties: body["properties"] ?? null };
  const ids = { messageId, userId: userId.ok ? userId.value : null, accountId: accountId.ok ? accountId.value : null };
  return { ...rejection, path, kept: keptMessage(sent, null, ids, []) };
}

/** A user or an account whose id is there but unusable is somebody, whom a person may want to find. */
function namesNobody({ userId, accountId, fault }: CdpIdentifiers): boolean {
  return userId === null && accountId === null && (fault === null || fault.path === "messageId");
}

function keptMessage(
  message: JsonObject,
  type: string | null,
  { messageId, userId, accountId }: Pick<CdpIdentifiers, "messageId" | "userId" | "accountId">,
  redacted: string[],
): KeptMessage {
  // What is too deep can't be walked; it is small use to a person anyway.
  const isWalkable = measureMessage(message) !== "too_deep";
  const properties = isWalkable ? cutObject(message["properties"], "properties", MAX_KEPT_BYTES, redacted) : null;
  const left = MAX_KEPT_BYTES - (properties === null ? 0 : jsonBytes(properties));
  return {
    type: type === null ? null : cutText(redactText(type, "type", []), MAX_KEPT_TYPE_CHARACTERS),
    messageId,
    userId,
    accountId,
    event: keptEvent(message["event"], redacted),
    properties,
    traits: isWalkable ? cutObject(message["traits"], "traits", left, redacted) : null,
  };
}

function keptEvent(event: Json | undefined, redacted: string[]): string | null {
  if (typeof event !== "string") return null;
  const clean = redactText(event, "event", redacted);
  const isMappable = !isLongerThan(event, MAX_KEPT_EVENT_CHARACTERS);
  return (isMappable ? mapEventName(clean) : null) ?? cutText(clean, MAX_KEPT_EVENT_CHARACTERS);
}

/** Redacted, and cut to a number of bytes: keeps, in their order, the keys that still fit. */
function cutObject(
  value: Json | undefined,
  place: "properties" | "traits",
  limit: number,
  redacted: string[],
): JsonObject | null {
  if (!isJsonObject(value) || limit < 2) return null;
  const clean = redact(value, place, redacted);
  const cut: JsonObject = {};
  let bytes = 2;
  for (const [key, member] of Object.entries(clean)) {
    if (limit - bytes < SHORTEST_MEMBER_BYTES) break;
    const memberBytes = jsonBytes(key) + jsonBytes(member) + (bytes === 2 ? 1 : 2);
    if (bytes + memberBytes > limit) continue;
    setOwn(cut, key, member);
    bytes += memberBytes;
  }
  return cut;
}
