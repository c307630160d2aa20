/** Decides what is kept of a rejected message, so that people can find out why: see docs/wire/batches.md §4.5. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { contextTraits } from "./cdp-traits.ts";
import { mapEventName } from "./event-name.ts";
import { readCdpIdentifiers, type CdpIdentifiers } from "./identifiers.ts";
import type { Issue, KeptMessage, Rejection, RejectionReason } from "./message.ts";
import { jsonBytes, measureMessage } from "./message-size.ts";
import { redact, redactText, setProperty } from "./personal-data.ts";
import { cutText, isLongerThan } from "./text.ts";

/** Properties and traits together, as compact JSON in UTF-8. */
const MAX_KEPT_BYTES = 4 * 1_024;
const MAX_KEPT_EVENT_CHARACTERS = 256;
const MAX_KEPT_TYPE_CHARACTERS = 64;
/** `"":0` is the shortest member. */
const SHORTEST_MEMBER_BYTES = 4;

const AUTOMATIC_TYPES: ReadonlySet<string | null> = new Set(["page", "screen", "alias"]);

/**
 * Rejects a message. Keeps its valid ids, event, properties and traits, without personal data. Unsupported types and
 * messages with neither a user nor an account are only counted, because client libraries send floods of them.
 *
 * @param type the message's type, or else the path's
 * @param redacted receives the paths where personal data was removed
 */
export function rejectMessage(
  message: JsonObject,
  index: number,
  type: string | null,
  reason: RejectionReason,
  redacted: string[],
): Rejection {
  const lowerType = type?.toLowerCase() ?? null;
  const ids = readCdpIdentifiers(message, lowerType);
  const { code, path } = reason;
  const isCounted = code === "unsupported_type" || namesNobody(ids);
  const kept = isCounted ? null : keptMessage(withContextTraits(message, lowerType), type, ids, redacted);
  const isAnonymous = code === "invalid_message" && namesNobody(ids) && hasText(message["anonymousId"]);
  const automatic = isAnonymous || (code === "unsupported_type" && AUTOMATIC_TYPES.has(lowerType));
  return { index, automatic, messageId: ids.messageId, code, message: reason.message, path, kept };
}

const hasText = (value: Json | undefined): boolean => typeof value === "string" && value.trim() !== "";

function withContextTraits(message: JsonObject, type: string | null): JsonObject {
  const more = contextTraits(message, type);
  const own = message["traits"];
  return more === undefined ? message : { ...message, traits: isJsonObject(own) ? { ...own, ...more, ...own } : more };
}

/**
 * Rejects a native capture. Like other rejects, it is only counted if it names neither a user nor an account.
 *
 * @param issues what is wrong with it, at least one
 */
export function rejectCapture(body: unknown, issues: readonly Issue[], messageId: string | null): Rejection {
  const message = issues.map((issue) => issue.message).join(" ");
  const path = issues[0]?.path || null;
  const kept = keptCapture(body, messageId);
  return { index: 0, automatic: false, messageId, code: "invalid_message", message, path, kept };
}

function keptCapture(body: unknown, messageId: string | null): KeptMessage | null {
  if (!isJsonObject(body)) return null;
  const { userId = null, accountId = null, event = null, properties = null } = body;
  const ids = { ...readCdpIdentifiers({ userId, accountId }, null), messageId };
  return namesNobody(ids) ? null : keptMessage({ event, properties }, null, ids, []);
}

/** Returns whether a message names neither a user nor an account. An unusable id counts: people may search for it. */
function namesNobody({ userId, accountId, problem }: CdpIdentifiers): boolean {
  return userId === null && accountId === null && (problem === null || problem.path === "messageId");
}

function keptMessage(
  message: JsonObject,
  type: string | null,
  { messageId, userId, accountId }: Pick<CdpIdentifiers, "messageId" | "userId" | "accountId">,
  redacted: string[],
): KeptMessage {
  // Recursion over a message that is too deep would overflow the stack.
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

/** Redacts an object and keeps, in their order, the members that fit into `limit` bytes. */
function cutObject(
  value: Json | undefined,
  location: "properties" | "traits",
  limit: number,
  redacted: string[],
): JsonObject | null {
  if (!isJsonObject(value) || limit < 2) return null;
  const clean = redact(value, location, redacted);
  const cut: JsonObject = {};
  let bytes = 2;
  for (const [key, member] of Object.entries(clean)) {
    if (limit - bytes < SHORTEST_MEMBER_BYTES) break;
    const memberBytes = jsonBytes(key) + jsonBytes(member) + (bytes === 2 ? 1 : 2);
    if (bytes + memberBytes > limit) continue;
    setProperty(cut, key, member);
    bytes += memberBytes;
  }
  return cut;
}
