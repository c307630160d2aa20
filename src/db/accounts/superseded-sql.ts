import { columnsOf } from "../client/columns-of.ts";
import { accounts, users } from "../schema/schema.ts";

const o = columnsOf(users, "o");

/**
 * Whether a personal account's user has moved to another account, in SQL. Such accounts are kept and never scored.
 * @param alias of `accounts`
 */
export function isSuperseded(alias: string): string {
  const a = columnsOf(accounts, alias);
  return `(${a.kind} = 'solo' AND EXISTS (SELECT 1 FROM ${o.table}
    WHERE ${o.workspace} = ${a.workspace} AND ${o.externalId} = ${a.externalId} AND ${o.account} <> ${a.number}))`;
}
