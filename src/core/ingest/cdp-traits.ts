/**
 * Finds the traits of a compatibility message: see docs/wire/messages.md §4.2. RudderStack's libraries put them into
 * `context.traits`, and Segment reserves the trait `company` for an object that describes the account.
 */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { readIdentifier, valueAt } from "./identifiers.ts";
import { redact } from "./personal-data.ts";

/** Traits from one place of a message, without personal data. */
export interface TraitSource {
  readonly traits: JsonObject;
  /** Whether they describe the account: the traits of a `group`, and a trait `company`. */
  readonly ofAccount: boolean;
}

/**
 * Reads all traits of a message, in the order in which they win.
 *
 * @param accountId the account that the message names
 * @param redacted receives where personal data was removed
 */
export function readCdpTraits(
  message: JsonObject,
  type: string,
  accountId: string | null,
  redacted: string[],
): TraitSource[] {
  const read = (value: Json | undefined, ofAccount: boolean, ...path: string[]): TraitSource[] => {
    if (!isJsonObject(value)) return [];
    const { company, ...others } = value;
    if (!describes(company, accountId)) return [{ traits: redact(value, "traits", redacted, path), ofAccount }];
    const { id: _id, ...ofCompany } = company;
    return [
      { traits: redact(others, "traits", redacted, path), ofAccount },
      { traits: redact(ofCompany, "traits", redacted, [...path, "company"]), ofAccount: true },
    ];
  };
  return [
    ...read(message["traits"], type === "group", "traits"),
    ...read(contextTraits(message, type), false, "context", "traits"),
  ];
}

/**
 * Returns the traits in the context of an `identify` or a `group`, which describe the user. In an `identify` they lose to
 * the same keys in the message's own traits; those of a `group` describe the account.
 */
export function contextTraits(message: JsonObject, type: string | null): JsonObject | undefined {
  const traits = type === "identify" || type === "group" ? valueAt(message, ["context", "traits"]) : undefined;
  if (!isJsonObject(traits)) return undefined;
  const own = message["traits"];
  return type === "identify" && isJsonObject(own)
    ? Object.fromEntries(Object.entries(traits).filter(([key]) => !Object.hasOwn(own, key)))
    : traits;
}

/** Returns whether a company is the account that the message names: it has the same id or none. */
function describes(company: Json | undefined, accountId: string | null): company is JsonObject {
  if (!isJsonObject(company) || accountId === null) return false;
  const id = readIdentifier(company["id"]);
  return id.ok && (id.value === null || id.value === accountId);
}
