/** Folds a workspace's log, one range at a time. */
import type { Day } from "../../core/health/model.ts";
import { valuesWithRoom } from "../../core/ask/query/dimensions.ts";
import { insertNamesSql, nameRows, selectUnnamed, type UnnamedRow } from "../ask/name-rows.ts";
import { insertValuesSql, SELECT_NEW_VALUES, SELECT_STORED_VALUES } from "../ask/query/dimension-values.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { expression } from "../client/expression.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { jsonParts } from "../client/run-statements.ts";
import type { Statement } from "../client/statement.ts";
import { messages } from "../schema/schema.ts";
import { FOLD_RANGE, type FoldKind, type LogRange, mayFold, MOVE_PROGRESS } from "./fold-rollups-sql.ts";
import type { Session } from "./session.ts";

const message = columnsOf(messages, "message");

/**
 * Folds a range, and moves the watermark or the progress of the rebuild to its end.
 * @param today accounts with events on earlier days become due
 * @param before, after other statements of the transaction
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

const SELECT_UNNAMED = prepareQuery(
  {
    kind: expression<UnnamedRow["kind"]>("kind"),
    subject: expression<number>("subject"),
    text: expression<string>("text"),
  },
  (columns) => `
SELECT ${columns} FROM (${selectUnnamed(`${message.seq} > :from AND ${message.seq} <= :through`)})`,
);
const INSERT_NAMES = prepare(insertNamesSql(mayFold("fold")));
const INSERT_VALUES = prepare(insertValuesSql(mayFold("fold")));

/**
 * Reads the accounts, users and values that a range adds, and builds the statements that index them. SQL can't
 * normalize a name, and questions bound the values of the tail in the same way. So both are read before the range is
 * folded, and written in the transaction that folds it: when a run ends in between, the next one does both again.
 */
async function indexRange(session: Session, workspace: WorkspaceRef, range: LogRange): Promise<Statement[]> {
  const bounds = { ...range, workspace: workspace.number, holder: session.holder };
  const [unnamed, stored, found] = await session.batch([
    SELECT_UNNAMED.bind(bounds),
    SELECT_STORED_VALUES.bind(bounds),
    SELECT_NEW_VALUES.bind(bounds),
  ]);
  const names = unnamed.results.flatMap((row) => nameRows({ ...row, source: "external_id" }));
  const values = valuesWithRoom(stored.results, found.results).map(({ dimension, value }) => [dimension, value]);
  return [
    ...jsonParts(names).map((rows) => INSERT_NAMES.bind({ ...bounds, rows })),
    ...jsonParts(values).map((rows) => INSERT_VALUES.bind({ ...bounds, rows })),
  ];
}
