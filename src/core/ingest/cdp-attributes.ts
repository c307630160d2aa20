/**
 * Separates the account attributes of a compatibility message from its free-form traits: see docs/wire.md §4.2. The
 * first usable value wins: in traits, then in properties, then in the message, and in each of them first in camel case,
 * then in snake case, then under the bare name.
 */
import type { Json, JsonObject } from "../json.ts";
import { typedKeys } from "../typed-keys.ts";
import { readAttribute, type AttributeName } from "./account-attributes.ts";
import type { AccountAttributes, MessageType } from "./message.ts";
import { redactText, setOwn } from "./personal-data.ts";

/** How many free-form traits of a message are kept. */
export const MAX_TRAITS = 256;

/** The keys of each attribute, in the order in which they win. The third one counts only in the traits of a `group`. */
const KEYS: Readonly<Record<AttributeName, readonly string[]>> = {
  stage: ["accountStage", "account_stage", "stage"],
  trialEndsAt: ["trialEndsAt", "trial_ends_at"],
  plan: ["accountPlan", "account_plan", "plan"],
  seats: ["accountSeats", "account_seats", "seats"],
  mrr: ["accountMrr", "account_mrr", "mrr"],
  currency: ["accountCurrency", "account_currency", "currency"],
};
const BARE = 2;

interface AttributeKey {
  readonly name: AttributeName;
  readonly rank: number;
}

const BY_KEY: ReadonlyMap<string, AttributeKey> = new Map(
  typedKeys(KEYS).flatMap((name) => KEYS[name].map((key, rank) => [key, { name, rank }] as const)),
);

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
  if (traits !== null) {
    for (const found of findAttributes(traits, type === "group"))
      if (apply(attributes, found, [])) taken.add(found.key);
  }
  if (properties !== null) for (const found of findAttributes(properties, false)) apply(attributes, found, []);
  for (const found of findAttributes(message, false)) apply(attributes, found, redacted);
  return {
    attributes: hasKeys(attributes) ? attributes : null,
    traits: type === "track" || traits === null ? null : freeTraits(traits, taken),
  };
}

interface FoundAttribute extends AttributeKey {
  readonly key: string;
  readonly value: Json;
}

const NONE: readonly FoundAttribute[] = [];

/** Finds the attributes of an object, in the order in which they win. */
function findAttributes(place: JsonObject, acceptsBare: boolean): readonly FoundAttribute[] {
  let found: FoundAttribute[] | null = null;
  for (const key in place) {
    const attribute = BY_KEY.get(key);
    const value = place[key];
    if (attribute === undefined || value === undefined || (attribute.rank === BARE && !acceptsBare)) continue;
    found ??= [];
    found.push({ ...attribute, key, value });
  }
  return found?.toSorted((one, other) => one.rank - other.rank) ?? NONE;
}

/** Sets the attribute unless an earlier value did. Returns whether the value is usable. */
function apply(attributes: AccountAttributes, { name, key, value }: FoundAttribute, redacted: string[]): boolean {
  return setIfUsable(attributes, name, typeof value === "string" ? redactText(value, key, redacted) : value);
}

function setIfUsable<Name extends AttributeName>(
  attributes: Pick<AccountAttributes, Name>,
  name: Name,
  value: Json,
): boolean {
  const usable = readAttribute(name, value, true);
  if (usable === undefined) return false;
  if (attributes[name] === undefined) attributes[name] = usable;
  return true;
}

function freeTraits(traits: JsonObject, taken: ReadonlySet<string>): JsonObject | null {
  const keys = Object.keys(traits);
  if (taken.size === 0 && keys.length <= MAX_TRAITS) return keys.length === 0 ? null : traits;
  const free: JsonObject = {};
  for (const key of keys.filter((one) => !taken.has(one)).slice(0, MAX_TRAITS)) setOwn(free, key, traits[key] ?? null);
  return hasKeys(free) ? free : null;
}

function hasKeys(object: object): boolean {
  for (const _ in object) return true;
  return false;
}
