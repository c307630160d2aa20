/**
 * Finds the traits of a compatibility message: see docs/wire.md §4.2. RudderStack's libraries put them into
 * `context.traits`, and Segment reserves the trait `company` for an object that describes the account.
 */
import { isJsonObject, type JsonObject } from "../json.ts";
import { readIdentifier, valueAt } from "./identifiers.ts";
import type { MessageType } from "./message.ts";
import { redact } from "./personal-data.ts";

/** Traits from one place of a message, without personal data. */
export interface PlacedTraits {
  readonly traits: JsonObject;
  /** Whether they come from a trait `company`. */
  readonly ofCompany: boolean;
}

/**
 * Reads all traits of a message, in the order in which they win.
 *
 * @param accountId the account that the message names
 * @param redacted receives where personal data was removed
 */
export function readCdpTraits(
  message: JsonObject,
  type: MessageType,
  accountId: string | null,
  redacted: string[],
): PlacedTraits[] {
  return [
    ...placed(message["traits"], ["traits"], accountId, redacted),
    ...placed(contextTraits(message, type), ["context", "traits"], accountId, redacted),
  ];
}

/** Returns the traits of a message in one object, as they were sent. */
export function allTraits(message: JsonObject, type: string | null): JsonObject | null {
  const own = isJsonObject(message["traits"]) ? message["traits"] : null;
  const more = contextTraits(message, type);
  return own === null || more === null ? (own ?? more) : { ...own, ...more };
}

/** Returns the traits in the context of an `identify` or a `group`, without the keys that its own traits have. */
function contextTraits(message: JsonObject, type: string | null): JsonObject | null {
  const traits = type === "identify" || type === "group" ? valueAt(message, ["context", "traits"]) : null;
  if (!isJsonObject(traits)) return null;
  const own = message["traits"];
  if (!isJsonObject(own)) return traits;
  return Object.fromEntries(Object.entries(traits).filter(([key]) => !Object.hasOwn(own, key)));
}

function placed(value: unknown, path: readonly string[], accountId: string | null, redacted: string[]): PlacedTraits[] {
  if (!isJsonObject(value)) return [];
  const { company, ...others } = value;
  if (!isJsonObject(company) || !describes(company, accountId)) {
    return [{ traits: redact(value, "traits", redacted, path), ofCompany: false }];
  }
  const { id: _id, ...ofCompany } = company;
  return [
    { traits: redact(others, "traits", redacted, path), ofCompany: false },
    { traits: redact(ofCompany, "traits", redacted, [...path, "company"]), ofCompany: true },
  ];
}

/** Returns whether a company is the account of the message: it has the same id or none. */
function describes(company: JsonObject, accountId: string | null): boolean {
  const id = readIdentifier(company["id"]);
  return accountId !== null && id.ok && (id.value === null || id.value === accountId);
}
