/** Folds a workspace's log, one range at a time. */
import type { Day } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { statement } from "../client/statements.ts";
import { folds } from "../schema/schema.ts";
import { type LogRange, rangeStatements } from "./fold-rollups-sql.ts";
import { mayWrite } from "./lease-sql.ts";
import { nameRange } from "./range-names.ts";
import type { Session } from "./session.ts";

const BEFORE_ALL_DAYS = -1_000_000_000;

const f = columnsOf(folds);

const INSERT_FOLD = `
INSERT INTO ${f.table} (${f.workspace}, ${f.watermark}) SELECT ?1, ?1 << 32 WHERE ${mayWrite("?2", "?1")}
ON CONFLICT DO NOTHING`;

const SELECT_WATERMARK = `
SELECT ${f.watermark} AS watermark FROM ${f.table} WHERE ${f.workspace} = ?1 AND ${mayWrite("?2", "?1")}`;

/**
 * Folds a range and moves the watermark to its end.
 * @param today accounts with events on earlier days become due
 * @returns false when the run may no longer write
 */
export async function foldRange(
  session: Session,
  workspace: WorkspaceRef,
  { from, through, today }: LogRange & { today: Day },
): Promise<boolean> {
  const own = [workspace.number, session.holder] as const;
  const naming = await nameRange(session, workspace, { from, through });
  const range = { from, through, today, firstDay: BEFORE_ALL_DAYS };
  const { fold, moveProgress } = rangeStatements(session, workspace, "fold", range);
  // Naming runs after event names have their numbers and before the watermark moves.
  const writes = [statement(INSERT_FOLD, ...own), ...fold, ...naming, moveProgress];
  const results = await session.batch([...writes, statement<{ watermark: number }>(SELECT_WATERMARK, ...own)]);
  return (results.at(-1)?.results[0]?.watermark ?? 0) >= through;
}
