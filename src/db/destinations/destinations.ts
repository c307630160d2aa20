/** Creates, lists, changes and deletes destinations. */
import { and, between, eq, getTableColumns, sql } from "drizzle-orm";

import { typedKeys } from "../../core/typed-keys.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, ownRange, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { readQueries } from "../client/read.ts";
import { lastNumber } from "../client/sql-fragments.ts";
import { deliveryAttempts, destinations, notifications } from "../schema/schema.ts";
import { requireLiveQuery } from "../workspaces/require-live.ts";

/** The recompute compares news with each of them. */
export const MAX_DESTINATIONS = 20;

export type Destination = typeof destinations.$inferSelect;
/** What a request or a delivery may change. */
export type DestinationChange = Partial<Omit<Destination, "number" | "id" | "workspace" | "kind" | "createdAt">>;

const NAMES = columnsOf(destinations);

/** A range of the primary key, because no index begins with the workspace. */
const inWorkspace = (workspace: WorkspaceRef) => {
  const { first, last } = ownRange(workspace);
  return between(destinations.number, first, last);
};
const isNamed = (workspace: WorkspaceRef, id: string) => and(inWorkspace(workspace), eq(destinations.id, id));

/** @returns `null` if the workspace has as many as it may */
export async function insertDestination(
  env: Env,
  workspace: WorkspaceRef,
  values: Omit<Destination, "number" | "workspace">,
): Promise<Destination | null> {
  const db = databaseOf(env, workspace);
  const row = { ...values, workspace: workspace.number };
  const columns = typedKeys(getTableColumns(destinations)).map((name) =>
    name === "number"
      ? sql.raw(`${lastNumber(NAMES, String(workspace.number))} + 1`)
      : sql.param(row[name], destinations[name]),
  );
  const isRoom = sql`(SELECT count(*) FROM ${destinations} WHERE ${inWorkspace(workspace)}) < ${MAX_DESTINATIONS}`;
  // A repeated attempt finds the row of the first.
  const [, , [inserted]] = await withRetry(() =>
    db.batch([
      requireLiveQuery(db, workspace),
      db
        .insert(destinations)
        .select(sql`SELECT ${sql.join(columns, sql`, `)} WHERE ${isRoom}`)
        .onConflictDoNothing(),
      db.select().from(destinations).where(isNamed(workspace, values.id)),
    ]),
  );
  return inserted ?? null;
}

/** Lists a workspace's destinations, oldest first. */
export async function listDestinations(env: Env, workspace: WorkspaceRef): Promise<Destination[]> {
  const [listed] = await readQueries(env, workspace, (db) => [
    db.select().from(destinations).where(inWorkspace(workspace)).orderBy(destinations.number),
  ]);
  return listed;
}

/** Reads a destination to change it or to send to it. @returns `null` for an unknown one */
export async function findDestination(env: Env, workspace: WorkspaceRef, id: string): Promise<Destination | null> {
  const [found] = await readQueries(env, workspace, (db) => [
    db.select().from(destinations).where(isNamed(workspace, id)),
  ]);
  return found[0] ?? null;
}

/** @returns `null` for an unknown one */
export async function updateDestination(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  change: DestinationChange,
): Promise<Destination | null> {
  const db = databaseOf(env, workspace);
  const ended = db
    .update(notifications)
    .set({ nextAttemptAt: null })
    .where(
      and(
        sql`${notifications.destination} = (SELECT ${destinations.number} FROM ${destinations} WHERE ${isNamed(workspace, id)} AND ${destinations.disabledAt} IS NOT NULL)`,
        sql`${notifications.nextAttemptAt} IS NOT NULL`,
      ),
    );
  const [, [changed]] = await withRetry(() =>
    db.batch([
      requireLiveQuery(db, workspace),
      db.update(destinations).set(change).where(isNamed(workspace, id)).returning(),
      // A disabled destination gets nothing any more.
      ended,
    ]),
  );
  return changed ?? null;
}

/** Deletes a destination with its notifications and attempts. @returns whether it existed */
export async function deleteDestination(env: Env, workspace: WorkspaceRef, id: string): Promise<boolean> {
  const db = databaseOf(env, workspace);
  const number = sql`(SELECT ${destinations.number} FROM ${destinations} WHERE ${isNamed(workspace, id)})`;
  const results = await withRetry(() =>
    db.batch([
      requireLiveQuery(db, workspace),
      db.delete(notifications).where(eq(notifications.destination, number)),
      db.delete(deliveryAttempts).where(eq(deliveryAttempts.destination, number)),
      db.delete(destinations).where(isNamed(workspace, id)),
    ]),
  );
  return results[3].meta.changes > 0;
}
