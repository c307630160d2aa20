/**
 * The dimensions of a workspace: what entities can be filtered, grouped and described by. Some are the same everywhere;
 * the others are the traits that senders have stored, typed by their values.
 */
import { HEALTH_STATES, STAGES } from "../../health/model.ts";
import { ITEM_KINDS, ITEM_STATUSES, SEVERITIES } from "../../inbox/model.ts";
import { memoizeByIdentity } from "../memoize-by-identity.ts";
import type { Find } from "./model.ts";

export const DIMENSION_TYPES = ["entity", "code", "text", "number", "percent", "date", "boolean"] as const;
export type DimensionType = (typeof DIMENSION_TYPES)[number];

export interface Dimension {
  name: string;
  type: DimensionType;
  /** The entities that have it. Users have the dimensions of their account too. */
  of: readonly Find[];
  /** For a code, all its values; for a text, the workspace's values, at most `MAX_VALUES`. */
  values?: readonly string[];
  /** Counted in a window. */
  isActivity?: true;
  /** Past values are known for each day. */
  hasHistory?: true;
}

/** Maximum of indexed values per dimension. Other values can be queried, but questions don't recognize them. */
export const MAX_INDEXED_VALUES = 200;
/** Maximum of traits that are dimensions. A workspace has a few dozen; twice as many as a message may have is a mistake. */
export const MAX_TRAIT_DIMENSIONS = 500;
/** Longer keys of traits aren't dimensions, and longer values aren't indexed: nobody types them in a question. */
export const MAX_KEY_CHARACTERS = 64;
export const MAX_VALUE_CHARACTERS = 100;
/** Maximum of indexed values of a workspace. Plans, currencies and the first value of each trait always have room. */
export const MAX_WORKSPACE_VALUES = 5_000;
const MAX_FURTHER_VALUES = MAX_WORKSPACE_VALUES - MAX_TRAIT_DIMENSIONS - 2 * MAX_INDEXED_VALUES;
/** Maximum of characters of all values except first ones, because every question reads all of them. */
const MAX_CHARACTERS = 50_000;

const OF_ACCOUNT: readonly Find[] = ["accounts", "users", "features", "items", "events"];
const OF_USER: readonly Find[] = ["users", "features", "events"];
const ACTIVE: readonly Find[] = ["accounts", "users", "features"];

export const BUILT_IN = [
  { name: "account", type: "entity", of: OF_ACCOUNT },
  { name: "kind", type: "code", of: OF_ACCOUNT, values: ["company", "solo"] },
  { name: "stage", type: "code", of: OF_ACCOUNT, values: STAGES, hasHistory: true },
  { name: "plan", type: "text", of: OF_ACCOUNT, hasHistory: true },
  { name: "seats", type: "number", of: OF_ACCOUNT, hasHistory: true },
  { name: "mrr", type: "number", of: OF_ACCOUNT, hasHistory: true },
  { name: "currency", type: "text", of: OF_ACCOUNT },
  /** Who looks after the account. */
  { name: "owner", type: "text", of: OF_ACCOUNT },
  { name: "trial_ends", type: "date", of: OF_ACCOUNT },
  { name: "contract_ends", type: "date", of: OF_ACCOUNT },
  { name: "health", type: "code", of: OF_ACCOUNT, values: HEALTH_STATES, hasHistory: true },
  { name: "score", type: "number", of: OF_ACCOUNT, hasHistory: true },
  { name: "user", type: "entity", of: OF_USER },
  /** As a filter of accounts and users: an event name that they have used in the window. */
  { name: "event", type: "entity", of: ["accounts", "users", "features", "events"], isActivity: true },
  { name: "first_seen", type: "date", of: ACTIVE },
  { name: "last_seen", type: "date", of: ACTIVE },
  { name: "active", type: "boolean", of: ACTIVE, isActivity: true },
  { name: "events", type: "number", of: ACTIVE, isActivity: true },
  { name: "active_days", type: "number", of: ACTIVE, isActivity: true },
  { name: "active_users", type: "number", of: ["accounts", "features"], isActivity: true },
  { name: "active_accounts", type: "number", of: ["features"], isActivity: true },
  { name: "features_used", type: "number", of: ["accounts", "users"], isActivity: true },
  { name: "seat_use", type: "percent", of: ["accounts"], isActivity: true },
  { name: "unused_seats", type: "number", of: ["accounts"], isActivity: true },
  { name: "adoption", type: "percent", of: ["features"], isActivity: true },
  /** As a filter of accounts: an open inbox item of that kind or severity. */
  { name: "item_kind", type: "code", of: ["items", "accounts"], values: ITEM_KINDS },
  { name: "severity", type: "code", of: ["items", "accounts"], values: SEVERITIES },
  { name: "status", type: "code", of: ["items"], values: ITEM_STATUSES },
  { name: "opened", type: "date", of: ["items"] },
  { name: "resolved", type: "date", of: ["items"] },
  { name: "dismissed", type: "date", of: ["items"] },
  { name: "snoozed_until", type: "date", of: ["items"] },
] as const satisfies readonly Dimension[];

const namesOf = (matches: (dimension: Dimension) => boolean): ReadonlySet<string> =>
  new Set(BUILT_IN.filter(matches).map(({ name }) => name));
/** Dimensions that are counted in a window, those of them that are whole numbers, and dimensions with past values. */
export const ACTIVITY: ReadonlySet<string> = new Set([...namesOf(({ isActivity }) => isActivity === true), "mrr_lost"]);
export const COUNTS = namesOf(({ isActivity, type }) => isActivity === true && type === "number");
export const HISTORY = namesOf(({ hasHistory }) => hasHistory === true);
/** Numbers that are counted in a window for each account. */
export const COUNTED_OF_ACCOUNTS = namesOf(
  ({ of, type, isActivity }) => isActivity === true && of.includes("accounts") && /^(?:number|percent)$/.test(type),
);
/** Measures with a value on each day, which isn't counted in a window. */
export const DAILY_MEASURES: ReadonlySet<string> = new Set([
  ...namesOf(({ hasHistory, type }) => hasHistory === true && type === "number"),
  "arr",
]);
/** Stage, plan and health: what accounts are in, and change to. */
export const STATES = namesOf(({ hasHistory, type }) => hasHistory === true && type !== "number");
/** The first and the last day with an event. */
export const SEEN: ReadonlySet<string> = new Set(["first_seen", "last_seen"]);

const OF_ACCOUNTS = namesOf(({ of }) => of === OF_ACCOUNT);
/** Tests whether a dimension belongs to accounts. Their users, items and events have it too. */
export const isAccountDimension = (name: string): boolean => OF_ACCOUNTS.has(name) || name.startsWith("account.");
const OF_ITEMS = namesOf(({ of }) => of[0] === "items");
/** Dimensions of items that accounts don't have, and of accounts that users don't have. */
export const ONLY_OF_ACCOUNTS = namesOf(({ of }) => of.includes("accounts") && !of.includes("users"));
export const ONLY_OF_ITEMS = namesOf(({ of }) => of.length === 1 && of[0] === "items");
/** Tests whether a dimension belongs to items themselves. */
export const isItemDimension = (name: string): boolean => OF_ITEMS.has(name);
export const isUserDimension = (name: string): boolean => name === "user" || name.startsWith("user.");

export const isTraitName = (name: string): boolean => name.includes(".");

/** A workspace may have hundreds of dimensions, so they are looked up, never searched. */
export const byName = memoizeByIdentity(
  (dimensions: readonly Dimension[]): ReadonlyMap<string, Dimension> =>
    new Map(dimensions.map((dimension) => [dimension.name, dimension])),
);

/** An indexed value of a trait. Longer texts, lists and objects aren't indexed. */
export type TraitValue = string | number | boolean;

/** A value as it is stored: JSON text. */
export interface IndexedValue {
  dimension: string;
  value: string;
}

/**
 * Decides which of the values that messages bring have room beside the stored ones, in their order. What is stored stays,
 * whatever comes later.
 */
export function valuesWithRoom(stored: readonly IndexedValue[], found: readonly IndexedValue[]): IndexedValue[] {
  const counts = new Map<string, number>();
  let [traits, further, characters] = [0, 0, 0];
  const knownOf = ({ dimension }: IndexedValue) => counts.get(dimension) ?? 0;
  const isFull = (each: IndexedValue): boolean =>
    knownOf(each) === 0
      ? traits >= MAX_TRAIT_DIMENSIONS
      : further >= MAX_FURTHER_VALUES || characters + each.value.length > MAX_CHARACTERS;
  const add = (each: IndexedValue): true => {
    if (isTraitName(each.dimension)) {
      if (knownOf(each) === 0) traits += 1;
      else further += 1;
      characters += each.value.length;
    }
    counts.set(each.dimension, knownOf(each) + 1);
    return true;
  };
  stored.forEach(add);
  return found.filter(
    (each) => knownOf(each) < MAX_INDEXED_VALUES && !(isTraitName(each.dimension) && isFull(each)) && add(each),
  );
}

/** @param values by name: the distinct values of `plan`, `currency` and each trait */
export function dimensionsOf(values: ReadonlyMap<string, readonly TraitValue[]>): Dimension[] {
  const builtIn = BUILT_IN.map((dimension: Dimension) =>
    dimension.type === "text" ? { ...dimension, values: (values.get(dimension.name) ?? []).map(String) } : dimension,
  );
  const traits = Array.from(values, ([name, known]) => traitOf(name, known)).filter((trait) => trait !== null);
  return [...builtIn, ...traits.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
}

function traitOf(name: string, values: readonly TraitValue[]): Dimension | null {
  const told = values.filter((value) => String(value).trim() !== "");
  const type = inferType(told);
  const known = type === "text" ? { values: [...new Set(told.map(String))] } : {};
  if (name.startsWith("account.")) return { name, type, of: OF_ACCOUNT, ...known };
  return name.startsWith("user.") ? { name, type, of: OF_USER, ...known } : null;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** The part of a trait's values that decides its type. One odd value among three spoils only its own row. */
const MIN_TYPED_PART = 2 / 3;

/** Numeric text counts as text, because an id with leading zeros isn't a number. */
function inferType(values: readonly TraitValue[]): DimensionType {
  const isMostly = (is: (value: TraitValue) => boolean) =>
    values.length > 0 && values.filter(is).length >= MIN_TYPED_PART * values.length;
  if (isMostly((value) => typeof value === "number")) return "number";
  if (isMostly((value) => typeof value === "boolean")) return "boolean";
  if (isMostly((value) => typeof value === "string" && isDate(value))) return "date";
  return "text";
}

const isDate = (value: string): boolean => ISO_DATE.test(value) && !Number.isNaN(Date.parse(value));
