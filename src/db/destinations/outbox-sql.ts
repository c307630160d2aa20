/**
 * Puts news into the outbox: a row for each destination that wants it. The statement belongs to the transaction that writes the
 * outcome, so neither is stored without the other. It is SQL text because it compares a JSON list with every destination, only
 * while the run holds the lease.
 */
import type { ItemNews, News } from "../../core/notify/news.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { prepare } from "../client/prepare.ts";
import { jsonParts } from "../client/run-statements.ts";
import { inOwnRange, lastNumber } from "../client/sql-fragments.ts";
import type { Statement } from "../client/statement.ts";
import { MAY_WRITE } from "../recompute/lease-sql.ts";
import type { Session } from "../recompute/session.ts";
import { accountOwners, accounts, destinations, folds, inboxItems, notifications } from "../schema/schema.ts";
import { passesFilter } from "./filter-sql.ts";

const account = columnsOf(accounts, "account");
const destination = columnsOf(destinations, "destination");
const fold = columnsOf(folds);
const item = columnsOf(inboxItems, "item");
const notification = columnsOf(notifications);
const owner = columnsOf(accountOwners, "owner");

/**
 * Builds the statements, which follow those that write the items. Without news there are none.
 * @param outcomes `account` is 0 for news about the workspace as a whole
 * @param now when the news is due, in milliseconds since the epoch
 */
export function insertNews(
  session: Session,
  workspace: WorkspaceRef,
  outcomes: readonly { account: number; news: readonly News[] }[],
  now: number,
): Statement[] {
  const rows = outcomes.flatMap(({ account: number, news }) => news.map((each) => ({ account: number, ...each })));
  const values = { workspace: workspace.number, holder: session.holder, now };
  return jsonParts(rows).map((part) => INSERT_NEWS.bind({ ...values, rows: part }));
}

const of = (name: "account" | "type" | "day" | "change" | keyof ItemNews): string => `news.value ->> '${name}'`;

const INSERT_NEWS = prepare(`
INSERT INTO ${notification.table} (${notification.number}, ${notification.id}, ${notification.destination},
  ${notification.type}, ${notification.subject}, ${notification.day}, ${notification.change}, ${notification.detail},
  ${notification.createdAt}, ${notification.nextAttemptAt})
SELECT ${lastNumber(notification, ":workspace")} + row_number() OVER (ORDER BY ${destination.number}, news.key),
  'ntf_' || lower(hex(randomblob(12))), ${destination.number}, ${of("type")}, coalesce(${item.number}, ${of("account")}),
  ${of("day")}, ${of("change")}, news.value -> 'before', :now, :now
FROM ${destination.table} CROSS JOIN json_each(:rows) news
LEFT JOIN ${item.table} ON ${item.workspace} = :workspace AND ${item.account} = ${of("account")} AND ${item.kind} = ${of("kind")}
  AND ${item.subject} = ${of("subject")} AND ${item.occurrence} = ${of("occurrence")}
LEFT JOIN ${account.table} ON ${account.number} = ${of("account")}
LEFT JOIN ${owner.table} ON ${owner.account} = ${account.number}
WHERE ${inOwnRange(destination.number, ":workspace")} AND ${destination.disabledAt} IS NULL
  AND EXISTS (SELECT 1 FROM json_each(${destination.events}) WHERE value = ${of("type")})
  AND ${passesFilter(destination.filter, { item, account, owner })}
  AND NOT EXISTS (SELECT 1 FROM ${fold.table} WHERE ${fold.workspace} = :workspace AND ${fold.quietThrough} >= ${of("day")})
  AND ${MAY_WRITE}
ON CONFLICT DO NOTHING`);
