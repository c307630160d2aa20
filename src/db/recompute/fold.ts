/** Folds a workspace's log, one range at a time. */
import type { Day } from "../../core/health/model.ts";
import { type IndexedValue, valuesWithRoom } from "../../core/ask/query/dimensions.ts";
import { insertNamesSql, nameRows, selectUnnamed, type UnnamedRow } from "../ask/name-rows.ts";
import { insertValuesSql, SELECT_STORED_VALUES, selectValuesIn } from "../ask/query/dimension-values.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { jsonParts, type Statement, statement } from "../client/statements.ts";
import { folds, messages } from "../schema/schema.ts";
import { FOLD_RANGE, type FoldKind, type LogRange, MOVE_PROGRESS } from "./fold-rollups-sql.ts";
import { mayWrite } from "./lease-sql.ts";
import type { Session } from "./session.ts";

const fold = columnsOf(folds);
const m = columnsOf(messages, "m");

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
  const values = { ...range, workspace: workspace.number, holder: session.holder, today };
  const indexing = kind === "fold" ? await indexRange(session, workspace, range) : [];
  const results = await session.batch([
    ...before,
    ...FOLD_RANGE[kind].map((query) => query.bind(values)),
    // Before the watermark moves.
    ...indexing,
    ...after,
    MOVE_PROGRESS[kind].bind(values),
  ]);
  return results.at(-1)?.meta.changes === 1;
}

const SELECT_UNNAMED = selectUnnamed(`${m.seq} > ?2 AND ${m.seq} <= ?3`);

const MAY_INSERT = `${mayWrite("?3", "?1")}
  AND EXISTS (SELECT 1 FROM ${fold.table} WHERE ${fold.workspace} = ?1 AND ${fold.watermark} = ?4)`;
const INSERT_NAMES = insertNamesSql(MAY_INSERT);
const SELECT_VALUES = selectValuesIn("?2", "?3");
const INSERT_VALUES = insertValuesSql(MAY_INSERT);

/**
 * Reads the accounts, users and values that a range adds, and builds the statements that index them. SQL can't normalize
 * a name, and questions bound the values of the tail in the same way. So both are read before the range is folded, and
 * written in the transaction that folds it: when a run ends in between, the next one does all again.
 */
async function indexRange(
  session: Session,
  workspace: WorkspaceRef,
  { from, through }: LogRange,
): Promise<Statement[]> {
  const { number } = workspace;
  const [unnamed, stored, found] = await session.batch([
    statement<UnnamedRow>(SELECT_UNNAMED, number, from, through),
    statement<IndexedValue>(SELECT_STORED_VALUES, number),
    statement<IndexedValue>(SELECT_VALUES, number, from, through),
  ]);
  const names = unnamed.results.flatMap((row) => nameRows({ ...row, source: "external_id" }));
  const values = valuesWithRoom(stored.results, found.results).map(({ dimension, value }) => [dimension, value]);
  return [
    ...jsonParts(names).map((part) => statement(INSERT_NAMES, number, part, session.holder, from)),
    ...jsonParts(values).map((part) => statement(INSERT_VALUES, number, part, session.holder, from, through)),
  ];
}
