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

/** @param rates to compare amounts of different currencies; `undefined` compares the numbers */
export function byMrr(mrr: SQL, rates: Rates | undefined): SQL {
  const rate = sql`coalesce(${JSON.stringify(rates ?? {})} ->> (${accounts.attributes} ->> '$.currency[0]'), 1)`;
  return desc(sql`coalesce(${mrr} * ${rate}, -1)`);
}
