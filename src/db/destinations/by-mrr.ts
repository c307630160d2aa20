/** Orders what messages list: the largest MRR comes first. */
import { desc, type SQL, sql } from "drizzle-orm";

import type { Rates } from "../../core/rates.ts";
import { columnsOf } from "../client/columns-of.ts";
import { accounts, inboxItems } from "../schema/schema.ts";
import { mrrOf } from "./filter-sql.ts";

export const ACCOUNT_MRR = sql`${accounts.attributes} ->> '$.mrr[0]'`;
/** As filters read it. */
export const ITEM_MRR = sql.raw(
  mrrOf({ item: columnsOf(inboxItems, "inbox_items"), account: columnsOf(accounts, "accounts") }),
);

/** The rate of an account's currency; 1 without one. */
export const rateOf = (rates: Rates | undefined): SQL =>
  sql`coalesce(${JSON.stringify(rates ?? {})} ->> (${accounts.attributes} ->> '$.currency[0]'), 1)`;

/** @param rates to compare amounts of different currencies; `undefined` compares the numbers */
export const byMrr = (mrr: SQL, rates: Rates | undefined): SQL => desc(sql`coalesce(${mrr} * ${rateOf(rates)}, -1)`);
