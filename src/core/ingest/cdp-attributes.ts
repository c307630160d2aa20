/**
 * The account attributes of a compatibility message, and the traits that are none: see docs/wire.md, Account
 * attributes. The first usable value wins, in traits, then properties, then the message; in each of them the camel
 * case key goes before the snake case one, and that before the bare one.
 */
import type { Json, JsonObject } from "../json.ts";
import { readAttribute, type AttributeName } from "./account-attributes.ts";
import type { AccountAttributes, MessageType } from "./message.ts";
import { redactText, setOwn } from "./personal-data.ts";

/** So many free-form traits of a message are kept: the first ones. */
export const MAX_TRAITS = 256;

interface Spelling {
  readonly name: AttributeName;
  readonly form: "camel" | "snake" | "bare";
}

const FORMS: readonly Spelling["form"][] = ["camel", "snake", "bare"];

const SPELLINGS: ReadonlyMap<string, Spelling> = new Map<string, Spelling>([
  ["accountStage", { name: "stage", form: "camel" }],
  ["account_stage", { name: "stage", form: "snake" }],
  ["stage", { name: "stage", form: "bare" }],
  ["trialEndsAt", { name: "trialEndsAt", form: "camel" }],
  ["trial_ends_at", { name: "trialEndsAt", form: "snake" }],
  ["accountPlan", { name: "plan", form: "camel" }],
  ["account_plan", { name: "plan", form: "snake" }],
  ["plan", { name: "plan", form: "bare" }],
  ["accountSeats", { name: "seats", form: "camel" }],
  ["account_seats", { name: "seats", form: "snake" }],
  ["seats", { name: "seats", form: "bare" }],
  ["accountMrr", { name: "mrr", form: "camel" }],
  ["account_mrr", { name: "mrr", form: "snake" }],
  ["mrr", { name: "mrr", form: "bare" }],
  ["accountCurrency", { name: "currency", form: "camel" }],
  ["account_currency", { name: "currency", form: "snake" }],
  ["currency", { name: "currency", form: "bare" }],
]);

/** What a message says about its account and about what its traits describe. */
export interface CdpTraits {
  readonly attributes: AccountAttributes | null;
  /** The traits that are no usable attributes; `null` when there are none. */
  readonly traits: JsonObject | null;
}

/**
 * Reads the attributes, and parts them from the free-form traits.
 *
 * @param traits already without personal data
 * @param properties already without personal data
 * @param paths where an e-mail address stood in an attribute of the message itself is appended here
 */
export function readCdpTraits(
  type: MessageType,
  traits: JsonObject | null,
  properties: JsonObject | null,
  message: JsonObject,
  paths: string[],
): CdpTraits {
  const attributes: AccountAttributes = {};
  const inTraits = traits === null ? NONE : findAttributes(traits, type === "group");
  const taken = new Set<string>();
  for (const found of inTraits) if (offer(attributes, found, [])) taken.add(found.key);
  if (properties !== null) for (const found of findAttributes(properties, false)) offer(attributes, found, []);
  for (const found of findAttributes(message, false)) offer(attributes, found, paths);
  return {
    attributes: hasKeys(attributes) ? attributes : null,
    traits: type === "track" || traits === null ? null : freeTraits(traits, taken),
  };
}

interface FoundAttribute extends Spelling {
  readonly key: string;
  readonly value: Json;
}

const NONE: readonly FoundAttribute[] = [];

/** What is spelled as an attribute, in the order of the forms. */
function findAttributes(place: JsonObject, bareToo: boolean): readonly FoundAttribute[] {
  let found: FoundAttribute[] | null = null;
  for (const key in place) {
    const spelling = SPELLINGS.get(key);
    const value = place[key];
    if (spelling === undefined || value === undefined || (spelling.form === "bare" && !bareToo)) continue;
    found ??= [];
    found.push({ ...spelling, key, value });
  }
  return found?.toSorted((one, other) => FORMS.indexOf(one.form) - FORMS.indexOf(other.form)) ?? NONE;
}

/** Sets the attribute if it has none yet. The answer is whether the value is usable. */
function offer(attributes: AccountAttributes, found: FoundAttribute, paths: string[]): boolean {
  const value = typeof found.value === "string" ? redactText(found.value, found.key, paths) : found.value;
  return setIfUsable(attributes, found.name, value);
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
  let count = 0;
  for (const key of keys) {
    const value = traits[key];
    if (taken.has(key) || value === undefined) continue;
    if (count === MAX_TRAITS) break;
    setOwn(free, key, value);
    count += 1;
  }
  return count === 0 ? null : free;
}

function hasKeys(object: object): boolean {
  for (const _ in object) return true;
  return false;
}
