/** The orders of the console's account list. */
import { sql } from "drizzle-orm";

import { ratesOf } from "../../core/rates.ts";
import type { OpenWorkspace } from "../workspaces/find-workspace.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import { health, identityTraits } from "../schema/schema.ts";
import { rateOf } from "../destinations/by-mrr.ts";
import { boundedActiveUsers, daysUntilContractEnd, type ReadRows } from "./account-conditions.ts";
import { type AccountOrder, ORDERS } from "./list-accounts.ts";

export const CONSOLE_SORTS = ["score", "trend", "mrr", "users", "lastSeen", "renewal", "name"] as const;
export type ConsoleSort = (typeof CONSOLE_SORTS)[number];

/**
 * Returns an order: lowest score, largest drop, highest MRR, most users, latest activity, next renewal or name from A to Z
 * first. With the workspace's rates, one order of MRR holds all currencies; without them, each currency has its own.
 * @param today days since the epoch, UTC
 */
export function consoleOrder(
  workspace: OpenWorkspace,
  sort: ConsoleSort,
  { withIdentity, today, readRows }: { withIdentity: boolean; today: number; readRows: ReadRows },
): AccountOrder {
  switch (sort) {
    case "score":
    case "lastSeen":
      return ORDERS[sort];
    case "trend":
      return { value: sql`${health.health} ->> '$.trend'` };
    case "users":
      return { value: sql`-${boundedActiveUsers(workspace, today, readRows)}` };
    case "renewal":
      return { value: daysUntilContractEnd(today) };
    case "mrr": {
      const rates = ratesOf(workspace);
      if (rates !== undefined) return { value: sql`${ORDERS.mrr.value} * ${rateOf(rates)}` };
      return {
        ...ORDERS.mrr,
        text: ({ attributes }) =>
          sql`iif(${attributes} ->> '$.mrr[0]' IS NULL, NULL, coalesce(${attributes} ->> '$.currency[0]', '~'))`,
      };
    }
    case "name":
      // SQLite would read a plain 0 in ORDER BY as the number of a column.
      return {
        value: sql`0.0`,
        text: ({ number, externalId }) =>
          sql`lower(coalesce(${withIdentity ? companyOf(workspace, sql`${number}`) : sql`NULL`}, iif(${externalId} < ' ', NULL, ${externalId})))`,
      };
  }
}

const companyOf = ({ number: workspace }: OpenWorkspace, account: ReturnType<typeof sql>) =>
  sql`(SELECT trait.value FROM ${identityTraits} trait WHERE trait.workspace = ${workspace} AND trait.subject_kind = 'account'
    AND trait.subject = ${account} AND trait.key = 'company' AND ${sql.raw(isAgreed(String(workspace)))})`;
