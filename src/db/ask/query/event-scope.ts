/**
 * Decides whose events a query about events or features counts. Filters on accounts choose the accounts under which the
 * events were stored (`matched`). With filters on users, only those users' events count (`filtered_users`).
 */
import { isUserDimension } from "../../../core/ask/query/dimensions.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { user } from "./aliases.ts";
import type { Compiling } from "./compiler-types.ts";
import { staticConditions, valueOf } from "./dimension-sql.ts";
import { readOf, unitsOf } from "./entities.ts";
import { groupColumns, isOfEvents, selectionOf } from "./measures.ts";
import type { EventScope } from "./selection.ts";
import { usesOf } from "./uses-sql.ts";

/**
 * @param per the dimension of accounts or users that the events are grouped by
 * @returns also the join of the `use`s to the table that has the group and its label, as `grp` and `label`
 */
export function eventScopeOf(compiling: Compiling, per?: string): EventScope & { groups: string } {
  const filters = compiling.query.where.filter((filter) => !isOfEvents(filter));
  const onUsers = filters.filter(({ dimension }) => isUserDimension(dimension));
  const onAccounts = filters.filter(({ dimension }) => !isUserDimension(dimension));
  const selection = selectionOf(compiling, "accounts", onAccounts);
  const isPerUser = per !== undefined && isUserDimension(per);
  const table = selection.select(per === undefined || isPerUser ? {} : groupColumns(selection, per));
  const accounts = { table, unfiltered: selection.subject };
  const ofAccount = per === undefined ? "" : `CROSS JOIN ${table} matched ON matched.id = use.account`;
  if (onUsers.length === 0 && !isPerUser)
    return { name: table, groups: ofAccount, uses: usesOf(compiling, { accounts }) };
  const group = isPerUser ? valueOf(compiling, per) : "NULL";
  const conditions = [
    `${user.workspace} = :workspace`,
    isNotErased(user.externalId),
    ...staticConditions(compiling, onUsers),
  ];
  const from = `${user.table} WHERE ${conditions.join("\n  AND ")}`;
  const label = per === "user" ? user.externalId : group;
  const sql = `SELECT ${user.number} AS id, ${group} AS grp, ${label} AS label FROM ${from}`;
  const filtered = compiling.statement.define("filtered_users", sql, () => {
    compiling.statement.addRead(readOf({ numbered: user, sought: ["user"] }, from, onUsers, unitsOf(per ?? "")));
    return sql;
  });
  const users = { table: filtered, unfiltered: filtered };
  return {
    name: `${filtered} ${table}`,
    groups: isPerUser ? `CROSS JOIN ${filtered} chosen ON chosen.id = use.id` : ofAccount,
    uses: usesOf(compiling, { users, ...(onAccounts.length > 0 && { accounts }) }),
  };
}
