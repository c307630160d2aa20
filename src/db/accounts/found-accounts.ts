/** Counts the accounts that a filter of the list finds, and adds their MRR in each currency. */
import { sql } from "drizzle-orm";

import type { WorkspaceRef } from "../client/database.ts";
import { dimensionValues } from "../schema/schema.ts";

/** More would make the statement long. */
const MAX_CURRENCIES = 6;

export interface FoundAccounts {
  accounts: number;
  /** The sums of the amounts with a currency, or without one. */
  mrr: { currency: string | null; amount: number }[];
  /** The number of accounts whose MRR is in none of these sums. */
  otherCurrencies: number;
}

/**
 * A column of what `matched` has. The currencies come from the list of values that the fold keeps: GROUP BY would read each
 * account twice more.
 */
export function foundIn({ number }: WorkspaceRef) {
  const sums = Array.from({ length: MAX_CURRENCIES }, (_, place) => {
    const currency = sql`(SELECT ${dimensionValues.value} ->> '$' FROM ${dimensionValues}
      WHERE ${dimensionValues.workspace} = ${number} AND ${dimensionValues.dimension} = 'currency'
      ORDER BY ${dimensionValues.value} LIMIT 1 OFFSET ${sql.raw(String(place))})`;
    return sumOf(currency, sql`currency = ${currency}`);
  });
  return sql`(SELECT json_array(count(*), count(mrr), ${sql.join([sumOf(sql`NULL`, sql`currency IS NULL`), ...sums], sql`, `)}) FROM matched)`
    .mapWith(readFound)
    .as("found");
}

const sumOf = (currency: ReturnType<typeof sql>, isCounted: ReturnType<typeof sql>) =>
  sql`json_array(${currency}, count(mrr) FILTER (WHERE ${isCounted}), sum(mrr) FILTER (WHERE ${isCounted}))`;

type Sum = [currency: string | null, accounts: number, amount: number | null];

function readFound(json: string): FoundAccounts {
  const [accounts, withMrr, ...sums]: [number, number, ...Sum[]] = JSON.parse(json);
  const counted = sums.reduce((total, [, count]) => total + count, 0);
  const mrr = sums.flatMap(([currency, , amount]) => (amount === null ? [] : [{ currency, amount }]));
  return { accounts, mrr, otherCurrencies: withMrr - counted };
}
