/** Folds a workspace's log, one range at a time. */
import type { Day } from "../../core/health/model.ts";
import { insertNamesSql, nameRows, selectUnnamed, type UnnamedRow } from "../ask/name-rows.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { jsonParts, type Statement, statement } from "../client/statements.ts";
import { folds, messages } from "../schema/schema.ts";
import { type FoldKind, type LogRange, PROGRESS, rangeStatements } from "./fold-rollups-sql.ts";
import { mayWrite } from "./lease-sql.ts";
import type { Session } from "./session.ts";

const f = columnsOf(folds);
const m = columnsOf(messages, "m");

export interface Reached {
  /** The seq that the fold or the rebuild has reached. */
  reached: number | null;
}

const selectReached = (kind: FoldKind): string => `
SELECT ${PROGRESS[kind]} AS reached FROM ${f.table} WHERE ${f.workspace} = ?1 AND ${mayWrite("?2", "?1")}`;

/** Selects {@link Reached}; no row when the run may no longer write. */
export const SELECT_REACHED = { fold: selectReached("fold"), rebuild: selectReached("rebuild") } as const;

/**
 * Folds a range, and moves the watermark or the progress of the rebuild to its end.
 * @param today accounts with events on earlier days become due
 * @param before, after what else runs in the transaction
 * @returns false when the run may no longer write
 */
export async function foldRange(
  session: Session,
  workspace: WorkspaceRef,
  kind: FoldKind,
  range: LogRange,
  today: Day,
  { before, after }: { before: readonly Statement[]; after: readonly Statement[] } = { before: [], after: [] },
): Promise<boolean> {
  const { fold, moveProgress } = rangeStatements(session, workspace, kind, range, today);
  const naming = kind === "fold" ? await nameRange(session, workspace, range) : [];
  const results = await session.batch([
    ...before,
    ...fold,
    // Before the watermark moves.
    ...naming,
    ...after,
    moveProgress,
    statement<Reached>(SELECT_REACHED[kind], workspace.number, session.holder),
  ]);
  return (results.at(-1)?.results[0]?.reached ?? 0) >= range.through;
}

const SELECT_UNNAMED = selectUnnamed(`${m.seq} > ?2 AND ${m.seq} <= ?3`);

const INSERT_NAMES = insertNamesSql(`${mayWrite("?3", "?1")}
  AND EXISTS (SELECT 1 FROM ${f.table} WHERE ${f.workspace} = ?1 AND ${f.watermark} = ?4)`);

/**
 * Reads the accounts and users that a range adds, and builds the statements that name them. SQL can't normalize a name.
 * So names are read before the range is folded, and written in the transaction that folds it: when a run ends in
 * between, the next one does both again.
 */
async function nameRange(session: Session, workspace: WorkspaceRef, { from, through }: LogRange): Promise<Statement[]> {
  const [unnamed] = await session.batch([statement<UnnamedRow>(SELECT_UNNAMED, workspace.number, from, through)]);
  const rows = unnamed.results.flatMap((row) => nameRows({ ...row, source: "external_id" }));
  return jsonParts(rows).map((part) => statement(INSERT_NAMES, workspace.number, part, session.holder, from));
}
