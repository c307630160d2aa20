/**
 * Separates the account attributes of a compatibility message from its free-form traits: see docs/wire.md §4.2. The
 * first usable value wins: in traits, then in properties, then in the message.
 */
import type { Json, JsonObject } from "../json.ts";
import { typedKeys } from "../typed-keys.ts";
import { readAttribute, type AttributeName } from "./account-attributes.ts";
import type { AccountAttributes, MessageType } from "./message.ts";
import { redactText } from "./personal-data.ts";

export const MAX_TRAITS = 256;

/** The keys of each attribute, in the order in which they win. */
const KEYS: Readonly<Record<AttributeName, readonly string[]>> = {
  stage: ["accountStage", "account_stage"],
  trialEndsAt: ["trialEndsAt", "trial_ends_at"],
  plan: ["accountPlan", "account_plan"],
  seats: ["accountSeats", "account_seats"],
  mrr: ["accountMrr", "account_mrr"],
  currency: ["accountCurrency", "account_currency"],
  contractEndsAt: ["accountContractEndsAt", "account_contract_ends_at"],
};
/** More keys in the traits of a `group`, which describe an account: the bare name, and what CRMs call the date. */
const GROUP_KEYS: Readonly<Partial<Record<AttributeName, readonly string[]>>> = {
  contractEndsAt:
    "contract_ends_at contractEndsOn contract_ends_on contract_end_date renewalDate renewal_date renewsAt renews_on".split(
      " ",
    ),
};
const NAMES = typedKeys(KEYS);

interface CdpAttributes {
  readonly attributes: AccountAttributes | null;
  /** The traits that are no usable attributes, or `null` if there are none. */
  readonly traits: JsonObject | null;
}

/**
 * Reads the attributes and the free-form traits of a message.
 *
 * @param traits without personal data
 * @param properties without personal data
 * @param redacted receives the paths of e-mail addresses in attributes of the message itself
 */
export function readCdpAttributes(
  type: MessageType,
  traits: JsonObject | null,
  properties: JsonObject | null,
  message: JsonObject,
  redacted: string[],
): CdpAttributes {
  const attributes: AccountAttributes = {};
  const taken = new Set<string>();
  for (const name of NAMES) {
    const keys = KEYS[name];
    for (const key of type === "group" ? [...keys, name, ...(GROUP_KEYS[name] ?? [])] : keys) {
      if (setIfUsable(attributes, name, traits?.[key])) taken.add(key);
    }
    for (const key of keys) setIfUsable(attributes, name, properties?.[key]);
    for (const key of keys) {
      const value = message[key];
      setIfUsable(attributes, name, typeof value === "string" ? redactText(value, key, redacted) : value);
    }
  }
  return {
    attributes: Object.keys(attributes).length === 0 ? null : attributes,
    traits: type === "track" || traits === null ? null : freeTraits(traits, taken),
  };
}

/** Sets the attribute unless an earlier value did. Returns whether the value is usable. */
function setIfUsable<Name extends AttributeName>(
  attributes: Pick<AccountAttributes, Name>,
  name: Name,
  value: Json | undefined,
): boolean {
  const usable = value === undefined ? undefined : readAttribute(name, value, true);
  if (usable === undefined) return false;
  if (attributes[name] === undefined) attributes[name] = usable;
  return true;
}

function freeTraits(traits: JsonObject, taken: ReadonlySet<string>): JsonObject | null {
  const keys = Object.keys(traits);
  const kept = keys.filter((key) => !taken.has(key)).slice(0, MAX_TRAITS);
  if (kept.length === 0) return null;
  return kept.length === keys.length ? traits : Object.fromEntries(kept.map((key) => [key, traits[key] ?? null]));
}
