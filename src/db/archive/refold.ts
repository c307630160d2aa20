/**
 * Folds archived messages again, for a rebuild. They are put back into the log for the length of a transaction, so that the
 * same statements fold them and the messages of the log. Nobody else sees them there, and a crash leaves none behind.
 */
import type { Day } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { jsonParts, statement } from "../client/statements.ts";
import { foldRange } from "../recompute/fold.ts";
import { type LogRange, mayFold } from "../recompute/fold-rollups-sql.ts";
import type { Session } from "../recompute/session.ts";
import { accounts, messages, users } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";
import type { MessageRow } from "./messages-sql.ts";

const a = columnsOf(accounts, "a");
const m = columnsOf(messages);
const u = columnsOf(users, "u");

const COLUMNS = [
  m.workspace,
  m.source,
  m.ingestId,
  m.receivedAt,
  m.seq,
  m.messageId,
  m.type,
  m.user,
  m.account,
  m.event,
  m.attributes,
  m.occurredAt,
];

/** The id of a restored message, which no sender's message has: the same message may have been stored again since. */
const idOf = (seq: string): string => `char(1) || ${seq}`;

/** A file may still have the external id of an erased user, which may be another user's by now. So users are found by number. */
const RESTORE = `
INSERT INTO ${m.table} (${COLUMNS.join(", ")})
SELECT ?1, 'cdp', 0, 0, c.value ->> 0, ${idOf("(c.value ->> 0)")}, c.value ->> 1, ${u.number}, ${a.number}, c.value ->> 5,
  iif(${a.number} IS NULL AND ${u.account} IS NULL AND NOT ${isNotErased(u.externalId)}, NULL, c.value ->> 6), c.value ->> 7
FROM json_each(?3) c LEFT JOIN ${u.table} ON ${u.number} = (?1 << 32) + abs(c.value ->> 2)
LEFT JOIN ${a.table} ON ${a.workspace} = ?1 AND ${a.kind} = c.value ->> 3
  AND ${a.externalId} = iif(c.value ->> 3 = 'solo', ${u.externalId}, c.value ->> 4)
WHERE ${mayFold("rebuild")}`;

const REMOVE = `
DELETE FROM ${m.table} WHERE ${m.seq} > ?2 AND ${m.seq} <= ?3 AND ${m.messageId} = ${idOf(m.seq)} AND ${mayFold("rebuild")}`;

/** Folds a range of archived messages again. @returns false when the run may no longer write */
export function refoldMessages(
  session: Session,
  { from, firstDay }: Pick<LogRange, "from" | "firstDay">,
  archived: readonly MessageRow[],
  today: Day,
): Promise<boolean> {
  const { workspace, holder } = session;
  const through = archived.at(-1)?.seq ?? from;
  const rows = archived.map(({ seq, type, user, accountKind, accountId, event, attributes, occurredAt }) => {
    return [seq, type, user, accountKind, accountId, event, attributes, occurredAt];
  });
  const before = jsonParts(rows).map((part) => statement(RESTORE, workspace.number, from, part, holder));
  const after = [statement(REMOVE, workspace.number, from, through, holder)];
  return foldRange(session, workspace, "rebuild", { from, through, firstDay }, today, { before, after });
}
