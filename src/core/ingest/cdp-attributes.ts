/**
 * Separates the account attributes of a compatibility message from its free-form traits: see docs/wire/messages.md
 * §4.2. The first usable value wins: in traits, also of a company, then in properties, then in the message.
 */
import type { Json, JsonObject } from "../json.ts";
import { typedKeys } from "../typed-keys.ts";
import { isBlank, readAttribute, UNKNOWN_VALUE, type AttributeName } from "./account-attributes.ts";
import type { TraitSource } from "./cdp-traits.ts";
import type { AccountAttributes, MessageType } from "./message.ts";
import { redactText } from "./personal-data.ts";

export const MAX_MESSAGE_TRAITS = 256;

/** The keys of each attribute, in the order in which they win. In traits that describe the account the bare name counts too. */
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
  /** The user's traits that are no usable attributes, or `null` if there are none. */
  readonly traits: JsonObject | null;
  /** The same of the account. Without a user, all traits are the account's. */
  readonly accountTraits: JsonObject | null;
}

/**
 * Reads the attributes and the free-form traits of a message.
 *
 * @param traits in the order in which they win
 * @param properties without personal data
 * @param redacted receives the paths of e-mail addresses in attributes of the message itself
 */
export function readCdpAttributes(
  type: MessageType,
  hasUser: boolean,
  traits: readonly TraitSource[],
  properties: JsonObject | null,
  message: JsonObject,
  redacted: string[],
): CdpAttributes {
  const attributes: AccountAttributes = {};
  const sources = traits.map((source) => ({ ...source, taken: new Set<string>() }));
  for (const name of NAMES) {
    const keys = KEYS[name];
    for (const source of sources) {
      for (const key of source.ofAccount ? [...keys, name, ...(GROUP_KEYS[name] ?? [])] : keys) {
        if (setIfUsable(attributes, name, source.traits[key])) source.taken.add(key);
      }
    }
    for (const key of keys) setIfUsable(attributes, name, properties?.[key]);
    for (const key of keys) {
      const value = message[key];
      setIfUsable(attributes, name, typeof value === "string" ? redactText(value, key, redacted) : value);
    }
  }
  const free = sources.flatMap(({ ofAccount, taken, ...source }) =>
    Object.entries(source.traits).flatMap(([key, value]) =>
      taken.has(key) ? [] : [{ key, value, ofUser: hasUser && !ofAccount }],
    ),
  );
  const kept = type === "track" ? [] : free.slice(0, MAX_MESSAGE_TRAITS);
  return {
    attributes: Object.keys(attributes).length === 0 ? null : attributes,
    traits: fromEntries(kept.filter(({ ofUser }) => ofUser)),
    accountTraits: fromEntries(kept.filter(({ ofUser }) => !ofUser)),
  };
}

/** Sets the attribute unless an earlier value did. Returns whether the value is usable, or says that nothing is known. */
function setIfUsable<Name extends AttributeName>(
  attributes: Pick<AccountAttributes, Name>,
  name: Name,
  value: Json | undefined,
): boolean {
  if (isBlank(value)) return true;
  const usable = value === undefined ? undefined : readAttribute(name, value, true);
  if (usable === undefined) return false;
  if (attributes[name] === undefined && usable !== UNKNOWN_VALUE) attributes[name] = usable;
  return true;
}

/** The first of equal keys wins. */
function fromEntries(entries: readonly { key: string; value: Json }[]): JsonObject | null {
  return entries.length === 0 ? null : Object.fromEntries(entries.map(({ key, value }) => [key, value]).toReversed());
}
