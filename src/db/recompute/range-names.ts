/**
 * Indexes the names that a range of the log adds: accounts, users and event names without one, and plans. SQL can't
 * normalize a name. So names are read before the range is folded, and written in the transaction that folds it: when a
 * run ends in between, the next one does both again.
 */
import { insertNamesSql, nameRows } from "../ask/name-rows.ts";
import { nameIn, selectUnnamed } from "../ask/unnamed.ts";
import type { Row } from "../client/batch.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { jsonParts, type Statement, statement } from "../client/statements.ts";
import { folds, messages } from "../schema/schema.ts";
import type { LogRange } from "./fold-rollups-sql.ts";
import { mayWrite } from "./lease-sql.ts";
import type { Session } from "./session.ts";

const f = columnsOf(folds);
const m = columnsOf(messages, "m");

const SELECT_UNNAMED = selectUnnamed(`${m.seq} > ?2 AND ${m.seq} <= ?3`);

const INSERT_NAMES = insertNamesSql(`${mayWrite("?3", "?1")}
  AND EXISTS (SELECT 1 FROM ${f.table} WHERE ${f.workspace} = ?1 AND ${f.watermark} = ?4)`);

/** Reads what the range adds and builds the statements that name it. They run in the transaction of the fold. */
export async function nameRange(
  session: Session,
  workspace: WorkspaceRef,
  { from, through }: LogRange,
): Promise<Statement[]> {
  const [unnamed] = await session.batch([statement<Row>(SELECT_UNNAMED, workspace.number, from, through)]);
  const rows = unnamed.results.flatMap((row) => nameRows(nameIn(row)));
  return jsonParts(rows).flatMap((part) =>
    INSERT_NAMES.map((sql) => statement(sql, workspace.number, part, session.holder, from)),
  );
}
