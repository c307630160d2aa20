/** Days of an account on the way from D1: a row carries a week of them as JSON, which costs less than a row for each. */
import type { ActiveDay, Day } from "../../core/health/model.ts";
import type { Row } from "./session.ts";

const DAYS_PER_ROW = 7;
/** A row of D1 has to hold a week. Who puts ids into event names has more features than any rule can make sense of. */
const MAX_FEATURES_CHARACTERS = 100_000;

/**
 * Selects days as rows of account and days.
 * @param source of the FROM, with `account_days d` in it; users and features are left out before their days
 */
export const selectDays = (source: string, usersFrom: string, featuresFrom: string): string => `
SELECT d.account, '[' || group_concat(
  '[' || d.day || ',' || d.user_days || ',' || iif(d.day >= ${usersFrom}, d.users, '[]') || ','
  || iif(d.day >= ${featuresFrom} AND length(d.features) <= ${MAX_FEATURES_CHARACTERS}, d.features, '{}') || ']' ORDER BY d.day) || ']' AS days
FROM ${source}
GROUP BY d.account, d.day / ${DAYS_PER_ROW}
ORDER BY d.account, d.day / ${DAYS_PER_ROW}`;

type PackedDay = [
  day: Day,
  userDays: number,
  users: number[],
  features: Record<string, [count: number, users: number[]]>,
];

/** By account, ascending by day. */
export function daysByAccount(rows: readonly Row[]): Map<number, ActiveDay[]> {
  const accounts = new Map<number, ActiveDay[]>();
  for (const row of rows) {
    const account = Number(row["account"]);
    const days = accounts.get(account) ?? [];
    accounts.set(account, days);
    const packed: PackedDay[] = JSON.parse(String(row["days"]));
    for (const [day, userDays, users, features] of packed) {
      const byFeature = new Map(Object.entries(features).map(([feature, [, its]]) => [Number(feature), its]));
      days.push({ day, userDays, users, features: byFeature });
    }
  }
  return accounts;
}
