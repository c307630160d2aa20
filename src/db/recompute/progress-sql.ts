/** Lists the workspaces of a database with their progress, and records whose turn it is. */
import type { Day } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { newestSeq, oldestSeq } from "../client/sql-fragments.ts";
import { statement } from "../client/statements.ts";
import { accountProgress, folds, messages, workspaceStates } from "../schema/schema.ts";
import { mayWrite } from "./lease-sql.ts";
import type { Session } from "./session.ts";

export interface LoggedMessage {
  seq: number;
  receivedAt: number;
}

export interface WorkspaceProgress {
  workspace: WorkspaceRef;
  watermark: number;
  /** The seq of the newest message; equal to the watermark when everything is folded. */
  newest: number;
  oldest: LoggedMessage | null;
  /** A running rebuild: the first day it replaces, and the seq it has reached (`null` while it still deletes). */
  rebuild: { day: Day; through: number | null } | null;
  /** When the first account is due, in milliseconds since the epoch. */
  dueAt: number | null;
}

const a = columnsOf(accountProgress);
const f = columnsOf(folds, "f");
const fold = columnsOf(folds);
const o = columnsOf(messages, "o");
const w = columnsOf(workspaceStates, "w");

const SELECT_PROGRESS = `
SELECT ${w.id} AS id, ${w.number} AS number, coalesce(${f.watermark}, ${w.number} << 32) AS watermark,
  ${f.rebuildDay} AS rebuildDay, ${f.rebuiltThrough} AS rebuiltThrough, ${newestSeq(w.number)} AS newest,
  ${o.seq} AS oldestSeq, ${o.receivedAt} AS oldestReceivedAt,
  (SELECT min(${a.dueAt}) FROM ${a.table} WHERE ${a.workspace} = ${w.number} AND ${a.dueAt} IS NOT NULL) AS dueAt
FROM ${w.table} LEFT JOIN ${f.table} ON ${f.workspace} = ${w.number}
LEFT JOIN ${o.table} ON ${o.seq} = ${oldestSeq(w.number)}
WHERE ${w.state} = 'live'
ORDER BY coalesce(${f.turnBegunAt}, 0), ${w.number}`;

interface ProgressRow {
  id: string;
  number: number;
  watermark: number;
  rebuildDay: number | null;
  rebuiltThrough: number | null;
  newest: number | null;
  oldestSeq: number | null;
  oldestReceivedAt: number | null;
  dueAt: number | null;
}

/** Lists all workspaces of the session's database. Those that have waited longest for their turn come first. */
export async function listProgress(session: Session, database: string): Promise<WorkspaceProgress[]> {
  const [listed] = await session.batch([statement<ProgressRow>(SELECT_PROGRESS)]);
  return listed.results.map((row) => ({
    workspace: { id: row.id, number: row.number, database },
    watermark: row.watermark,
    newest: Math.max(row.watermark, row.newest ?? 0),
    oldest: loggedMessage(row.oldestSeq, row.oldestReceivedAt),
    rebuild: row.rebuildDay === null ? null : { day: row.rebuildDay, through: row.rebuiltThrough },
    dueAt: row.dueAt,
  }));
}

export const loggedMessage = (seq: number | null, receivedAt: number | null): LoggedMessage | null =>
  seq === null || receivedAt === null ? null : { seq, receivedAt };

const BEGIN_TURN = `
INSERT INTO ${fold.table} (${fold.workspace}, ${fold.watermark}, ${fold.turnBegunAt})
SELECT ?1, ?1 << 32, ?2 WHERE ${mayWrite("?3", "?1")}
ON CONFLICT (${fold.workspace}) DO UPDATE SET ${fold.turnBegunAt} = excluded.${fold.turnBegunAt}`;

/** Records when the workspace's turn began, which decides the order of the next run. */
export async function beginTurn(session: Session, { number }: WorkspaceRef, now: number): Promise<void> {
  await session.batch([statement(BEGIN_TURN, number, now, session.holder)]);
}
