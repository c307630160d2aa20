/** Reads days of accounts. One row carries a week of them as JSON, which costs less than a row per day. */
import type { ActiveDay, Day } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { accountDays } from "../schema/schema.ts";

const DAYS_PER_ROW = 7;
/** A week must fit into a row. Senders that put ids into event names have more features than any rule can use. */
const MAX_FEATURES_CHARACTERS = 100_000;

const d = columnsOf(accountDays, "d");

export interface PackedDays {
  account: number;
  /** JSON. */
  days: string;
}

/**
 * Selects {@link PackedDays} in the order of accounts and days.
 * @param source a FROM clause with `account_days d`
 * @param usersFrom, featuresFrom earlier days come without users, or without features
 */
export const selectDays = (source: string, usersFrom: string, featuresFrom: string): string => `
SELECT ${d.account} AS account, '[' || group_concat(
  '[' || ${d.day} || ',' || ${d.userDays} || ',' || iif(${d.day} >= ${usersFrom}, ${d.users}, '[]') || ','
  || iif(${d.day} >= ${featuresFrom} AND length(${d.features}) <= ${MAX_FEATURES_CHARACTERS}, ${d.features}, '{}')
  || ']' ORDER BY ${d.day}) || ']' AS days
FROM ${source}
GROUP BY ${d.account}, ${d.day} / ${DAYS_PER_ROW}
ORDER BY ${d.account}, ${d.day} / ${DAYS_PER_ROW}`;

type PackedDay = [
  day: Day,
  userDays: number,
  users: number[],
  features: Record<string, [count: number, users: number[]]>,
];

/** Unpacks days by account, in ascending order. */
export function daysByAccount(rows: readonly PackedDays[]): Map<number, ActiveDay[]> {
  const accounts = new Map<number, ActiveDay[]>();
  for (const row of rows) {
    const days = accounts.get(row.account) ?? [];
    accounts.set(row.account, days);
    const packed: PackedDay[] = JSON.parse(row.days);
    for (const [day, userDays, users, features] of packed) {
      const byFeature = new Map(Object.entries(features).map(([feature, [, its]]) => [Number(feature), its]));
      days.push({ day, userDays, users, features: byFeature });
    }
  }
  return accounts;
}
