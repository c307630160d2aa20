/**
 * Names for what a stretch of the log brings: accounts, users and event names that have none yet, and plans. Folding a
 * name takes more than SQL can do, so they are read before the fold of the stretch, and written in its transaction: a
 * run that ends in between leaves both to be done again.
 */
import { insertingNames, nameRows } from "../ask/name-rows.ts";
import { nameIn, selectUnnamed } from "../ask/unnamed.ts";
import type { WorkspaceRef } from "../client/database.ts";
import type { Stretch } from "./fold-store.ts";
import { inParts, mayWrite, type Session, type Statement } from "./session.ts";

const SELECT_UNNAMED = selectUnnamed("m.seq > ?2 AND m.seq <= ?3");

const INSERT_NAMES = insertingNames(`${mayWrite("?3", "?1")}
  AND EXISTS (SELECT 1 FROM folds WHERE workspace = ?1 AND watermark = ?4)`);

/**
 * The statements that name what a stretch brings, for the transaction that folds it: they come once its event names
 * have numbers, and before the watermark moves.
 */
export async function namingStretch(
  session: Session,
  workspace: WorkspaceRef,
  { from, through }: Stretch,
): Promise<Statement[]> {
  const [unnamed] = await session.batch([[SELECT_UNNAMED, workspace.number, from, through]]);
  const rows = (unnamed?.results ?? []).flatMap((row) => nameRows(nameIn(row)));
  return inParts(rows).flatMap((part) =>
    INSERT_NAMES.map((sql): Statement => [sql, workspace.number, part, session.holder, from]),
  );
}
