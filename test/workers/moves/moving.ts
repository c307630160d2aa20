/** Moves workspaces in tests, and reads what a database holds of one. */
import { env } from "cloudflare:workers";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { readMove } from "../../../src/db/moves/move-records.ts";
import { isBetween, ownRanges } from "../../../src/db/workspaces/own-ranges.ts";
import { ERASE_AFTER_MS, type MoveOptions, runMove } from "../../../src/services/moves/move-workspace.ts";
import { type BoundStatement, databaseWith, envWith, sendWith } from "../support/faulty-env.ts";
import { heldQueue } from "../support/run-cron.ts";
import { ADMIN_HEADERS } from "../support/workspace.ts";

const DATABASES = { DB: env.DB, DB_1: env.DB_1, DB_2: env.DB_2 };
type Database = keyof typeof DATABASES;

/** Advances past claims and waiting times. */
let late = 0;
export const lateClock = (): number => Date.now() + late;
export const wait = (ms: number): void => {
  late += ms;
};

/** Runs the parts of a move until nothing is left to do. */
export async function finishMove(workspace: WorkspaceRef, options: MoveOptions = {}): Promise<void> {
  for (let parts = 0; (await readMove(calm, workspace)) !== null; parts += 1) {
    if (parts === 100) throw new Error("the move does not end");
    if (await runMove(calm, workspace, { clock: lateClock, ...options })) wait(ERASE_AFTER_MS);
  }
}

/** The queue delivers nothing, so that only the test runs parts. */
export const { TASKS } = heldQueue();
export const calm = envWith({ TASKS });

const admin = (method: string, path: string, body?: unknown) =>
  sendWith(calm, method, path, body, { headers: ADMIN_HEADERS });

export const startMove = (id: string, database: string) => admin("POST", `/admin/workspaces/${id}/move`, { database });
export const cancelMove = (id: string) => admin("DELETE", `/admin/workspaces/${id}/move`);

/** By table, the workspace's rows as JSON. Leases aren't part of a copy. */
export async function ownRows(workspace: WorkspaceRef, database: Database): Promise<Record<string, string[]>> {
  const db = DATABASES[database];
  const ranges = ownRanges(workspace).filter(({ name }) => name !== "leases");
  const found = await db.batch(
    ranges.map((range) => {
      const { sql, values } = isBetween(range);
      return db.prepare(`SELECT * FROM ${range.tableName} WHERE ${sql}`).bind(...values);
    }),
  );
  const rows: Record<string, string[]> = {};
  for (const [index, { name }] of ranges.entries()) {
    const results = found[index]?.results ?? [];
    if (results.length > 0) rows[name] = results.map((row) => JSON.stringify(row));
  }
  const state = "SELECT state, agreement FROM workspace_states WHERE number = ?";
  const own = await db.prepare(state).bind(workspace.number).first();
  return own === null ? rows : { ...rows, workspaceStates: [JSON.stringify(own)] };
}

/** Does something before the first round trip whose SQL contains `text`. After a crash, all later ones fail. */
export function before(text: string, work: () => Promise<unknown>, isCrash = false) {
  let isDone = false;
  const trip = async <T>(run: () => Promise<T>, _: number, statements: readonly BoundStatement[] = []): Promise<T> => {
    if (isDone && isCrash) await crash();
    if (!isDone && statements.some(({ sql }) => sql.includes(text))) {
      isDone = true;
      await work();
    }
    return run();
  };
  return envWith({ TASKS, DB: databaseWith(trip).DB, DB_1: databaseWith(trip, env.DB_1).DB });
}

export const crash = () => Promise.reject(new Error("a crash"));

/** The statement that the final step begins with, and one that it ends with. */
export const STOP_WRITES = "SET state = 'moving'";
export const SWITCH = 'update "workspaces" set "database"';

export const CAPTURE = { accountId: "acme", userId: "u1", event: "report.exported" };
