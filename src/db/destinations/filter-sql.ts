/** The filter of a destination as a condition, which the outbox and digests share (docs/wire/notifications.md §23). */
import { SEVERITIES } from "../../core/inbox/model.ts";
import type { NewsFilter } from "../../core/notify/model.ts";
import type { ColumnNames } from "../client/columns-of.ts";
import type { accountOwners, accounts, inboxItems } from "../schema/schema.ts";

/** The tables of the statement by their names in it. News about health has no item, and news about a workspace no account. */
interface Subject {
  item: ColumnNames<typeof inboxItems>;
  account: ColumnNames<typeof accounts>;
  owner: ColumnNames<typeof accountOwners>;
}

/** The account's MRR or, if it is larger, that before the fall that the item is about. NULL without either. */
export const mrrOf = ({ item, account }: Omit<Subject, "owner">): string =>
  `(SELECT max(mrr) FROM (SELECT ${account.attributes} ->> '$.mrr[0]' AS mrr
    UNION ALL SELECT value ->> 'expected' FROM json_each(${item.evidence}) WHERE value ->> 'code' = 'mrr'))`;

const rankOf = (severity: string): string =>
  `CASE ${severity} ${SEVERITIES.map((each, rank) => `WHEN '${each}' THEN ${rank}`).join(" ")} END`;

/**
 * An item about the workspace as a whole has no account, so that it fails the conditions of accounts.
 * @param filter the JSON of a filter, in SQL
 */
export function passesFilter(filter: string, { item, account, owner }: Subject): string {
  const given = (name: keyof NewsFilter): string => `${filter} ->> '$.${name}'`;
  return `(${item.kind} IS NULL OR ${given("kinds")} IS NULL
    OR EXISTS (SELECT 1 FROM json_each(${given("kinds")}) WHERE value = ${item.kind}))
  AND (${item.kind} IS NULL OR ${given("minSeverity")} IS NULL OR ${rankOf(item.severity)} >= ${rankOf(given("minSeverity"))})
  AND (${given("minMrr")} IS NULL OR ${mrrOf({ item, account })} >= ${given("minMrr")})
  AND (${given("owner")} IS NULL OR ${owner.owner} = ${given("owner")})`;
}
