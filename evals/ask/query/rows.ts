/** Orders, groups and names the rows of results. */
import { type Dimension } from "../../../src/core/ask/query/dimensions.ts";
import { type Cell, type Entity, type QueryResult } from "../../../src/core/ask/query/result.ts";
import { type Account, type FoldedWorld, latest, type User } from "./fold.ts";
import { type QueryInput, keyOf, type Row, stageOf, type StoredOutcomes, type Value, valueOf } from "./values.ts";

export interface OracleWorld extends FoldedWorld, StoredOutcomes {
  dimensions: readonly Dimension[];
  today: number;
  now: number;
  companies: Readonly<Record<string, string>>;
  people: Readonly<Record<string, string>>;
  /** What a unit of a currency is worth; absent for rankings in each currency. */
  rates?: Readonly<Record<string, number>>;
}

export type OracleInput = OracleWorld & QueryInput;

export type OracleRows = Pick<QueryResult, "rows" | "total">;

export const textOf = (value: Value): string | null => (typeof value === "string" ? value : null);

/** Sorts with unknown values last and equal ones by name. */
export const sortedBy = <Each>(
  all: readonly Each[],
  of: (each: Each) => Value,
  isUp: boolean,
  name: (each: Each) => Value,
): Each[] =>
  all.toSorted((a, b) => {
    const order = compareValues(of(a), of(b), isUp);
    return order === 0 ? compareValues(name(a), name(b), true) : order;
  });

function compareValues(a: Value, b: Value, isUp: boolean): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  const isLess = typeof a === typeof b ? a < b : typeof a !== "string";
  return isLess === isUp ? -1 : 1;
}

export const nameOf = ({ account, user, feature }: Row): string =>
  feature ?? user?.externalId ?? account?.externalId ?? "";

export const isoDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
/** A number that overflows is unknown. */
export const finite = (value: Value): Cell => (typeof value === "number" && !Number.isFinite(value) ? null : value);
export const shown = (value: Value, type: string | undefined): Cell =>
  type === "date" && value !== null ? isoDay(Number(value)) : finite(value);

export function accountEntity(asked: OracleInput, account: Account | null): Entity | null {
  if (account === null) return null;
  const { stage } = stageOf(latest(account.attributes, "stage"));
  const name = account.kind === "company" ? (asked.companies[account.externalId] ?? null) : null;
  return { type: "account", id: keyOf(account), externalId: account.externalId, name, stage };
}

const userEntity = ({ people }: OracleInput, { externalId }: User): Entity => ({
  type: "user",
  id: externalId,
  externalId,
  name: people[externalId] ?? null,
});

const featureEntity = (name: string): Entity => ({ type: "feature", id: name, externalId: name, name: null });

export function entityOf(asked: OracleInput, { account, user, feature }: Row): Entity | null {
  if (feature !== undefined) return featureEntity(feature);
  return user == null ? accountEntity(asked, account) : userEntity(asked, user);
}

export function healthOf({ health }: OracleInput, { account }: Row) {
  const found = account === null ? undefined : health.find((each) => each.account === keyOf(account));
  return found === undefined ? null : JSON.parse(found.health);
}

export interface Group {
  label: string | null;
  shown: Entity | Cell;
  rows: Row[];
}

/** Groups rows by their value of a dimension. */
export function groupsOf(asked: OracleInput, rows: readonly Row[], per: string | undefined): Group[] {
  if (per === undefined) return [{ label: null, shown: null, rows: [...rows] }];
  const groups = new Map<Value, Group>();
  for (const row of rows) {
    const value = valueOf(asked, row, per);
    const entity = value === null ? null : entityNamed(asked, row, per);
    const text = value === null ? null : String(typeof value === "boolean" ? Number(value) : value);
    const group = groups.get(value) ?? { label: entity?.externalId ?? text, shown: entity ?? value, rows: [] };
    groups.set(value, group);
    group.rows.push(row);
  }
  return [...groups.values()];
}

function entityNamed(asked: OracleInput, { account, user, event }: Row, per: string): Entity | null {
  if (per === "account") return accountEntity(asked, account);
  if (per === "user") return user ? userEntity(asked, user) : null;
  return per === "event" && event ? featureEntity(event.name) : null;
}
