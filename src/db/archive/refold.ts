/**
 * Folds archived messages again, for a rebuild. A transaction puts them back into the log, folds them with the
 * statements that fold the log, and removes them again. Nobody else sees them there, and a crash leaves nothing behind.
 * It is SQL text because it runs in the fold's transaction.
 */
import type { Day } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { prepare } from "../client/prepare.ts";
import { jsonParts } from "../client/run-statements.ts";
import { foldRange } from "../recompute/fold.ts";
import { type LogRange, mayFold } from "../recompute/fold-rollups-sql.ts";
import type { Session } from "../recompute/session.ts";
import { accounts, messages, users } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";
import type { MessageRow } from "./messages-sql.ts";

const account = columnsOf(accounts, "account");
const message = columnsOf(messages);
const user = columnsOf(users, "user");

const COLUMNS = [
  message.workspace,
  message.source,
  message.ingestId,
  message.receivedAt,
  message.seq,
  message.messageId,
  message.type,
  message.user,
  message.account,
  message.event,
  message.attributes,
  message.occurredAt,
];

/** The id of a restored message, which no sender's message has, because the same message may have been sent again. */
const idOf = (seq: string): string => `char(1) || ${seq}`;

/** Finds users by number, because an erased user's external id in a file may belong to another user by now. */
const RESTORE = prepare(`
INSERT INTO ${message.table} (${COLUMNS.join(", ")})
SELECT :workspace, 'cdp', 0, 0, row.value ->> 0, ${idOf("(row.value ->> 0)")}, row.value ->> 1,
  ${user.number}, ${account.number}, row.value ->> 5, iif(
    ${account.number} IS NULL AND ${user.account} IS NULL AND NOT ${isNotErased(user.externalId)}, NULL, row.value ->> 6
  ), row.value ->> 7
FROM json_each(:rows) row LEFT JOIN ${user.table} ON ${user.number} = (:workspace << 32) + abs(row.value ->> 2)
LEFT JOIN ${account.table} ON ${account.workspace} = :workspace AND ${account.kind} = row.value ->> 3
  AND ${account.externalId} = iif(row.value ->> 3 = 'solo', ${user.externalId}, row.value ->> 4)
WHERE ${mayFold("rebuild")}`);

const REMOVE = prepare(`
DELETE FROM ${message.table} WHERE ${message.seq} > :from AND ${message.seq} <= :through
  AND ${message.messageId} = ${idOf(message.seq)} AND ${mayFold("rebuild")}`);

/** Folds a range of archived messages again. @returns false when the run may no longer write */
export function refoldMessages(
  session: Session,
  { from, firstDay }: Pick<LogRange, "from" | "firstDay">,
  archived: readonly MessageRow[],
  today: Day,
): Promise<boolean> {
  const { workspace, holder } = session;
  const through = archived.at(-1)?.seq ?? from;
  const rows = archived.map(({ seq, type, user: person, accountKind, accountId, event, attributes, occurredAt }) => {
    return [seq, type, person, accountKind, accountId, event, attributes, occurredAt];
  });
  const values = { workspace: workspace.number, holder, from, through };
  const before = jsonParts(rows).map((part) => RESTORE.bind({ ...values, rows: part }));
  const after = [REMOVE.bind(values)];
  return foldRange(session, workspace, "rebuild", { from, through, firstDay }, today, { before, after });
}
