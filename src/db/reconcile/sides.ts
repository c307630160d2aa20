/** Reads what a database knows of its workspaces, and changes it after a restore. */
import { and, desc, eq, lt, sql } from "drizzle-orm";

import type { Side } from "../../core/reconcile/plan.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { inOwnRange } from "../client/sql-fragments.ts";
import { runBatch, statement } from "../client/statements.ts";
import { LEASE_MS } from "../moves/sides.ts";
import { leases, rejections, users, workspaceStates } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";

/** Lists what a database knows of workspaces, the highest number first. */
export async function listSides(
  env: Env,
  database: string,
  limit: number,
  before: number,
): Promise<(Side & { number: number })[]> {
  const rows = await withRetry(() =>
    databaseOf(env, { database })
      .select({ state: workspaceStates, lease: leases })
      .from(workspaceStates)
      .leftJoin(leases, eq(leases.workspace, workspaceStates.number))
      .where(lt(workspaceStates.number, before))
      .orderBy(desc(workspaceStates.number))
      .limit(limit),
  );
  return rows.map(({ state, lease }) => {
    const isCopying = lease?.holder?.startsWith("move_") === true;
    return { ...state, database, leasedAt: isCopying ? lease.expiresAt - LEASE_MS : null };
  });
}

/** Adds a workspace that a database lacks, or opens one that a move had closed. */
export async function putState(env: Env, { id, number, database }: WorkspaceRef): Promise<void> {
  const insertion = databaseOf(env, { database }).insert(workspaceStates).values({ number, id, state: "live" });
  const isClosed = sql`${workspaceStates.id} = ${id} AND ${workspaceStates.state} = 'moving'`;
  const set = { state: "live" } as const;
  await withRetry(() => insertion.onConflictDoUpdate({ target: workspaceStates.number, set, setWhere: isClosed }));
}

/** Sets what a database knows of the agreement. */
export async function setAgreement(env: Env, { id, number, database }: WorkspaceRef, agreement: number): Promise<void> {
  const own = and(eq(workspaceStates.number, number), eq(workspaceStates.id, id));
  await withRetry(() => databaseOf(env, { database }).update(workspaceStates).set({ agreement }).where(own));
}

const u = columnsOf(users);
const r = columnsOf(rejections);

/** ?2 the users' numbers within the workspace. */
const SELECT_PEOPLE = `
SELECT ${u.externalId} AS externalId, ${u.createdAt} AS since FROM ${u.table}
WHERE ${u.number} IN (SELECT (?1 << 32) + value FROM json_each(?2)) AND ${isNotErased(u.externalId)}
UNION ALL SELECT ${r.userId}, min(${r.receivedAt}) FROM ${r.table}
WHERE ${inOwnRange(r.seq, "?1")} AND ${r.userId} IS NOT NULL GROUP BY ${r.userId}`;

/** Lists those of the users who are not erased, and the people of rejected messages, with the time since when they are known. */
export async function listPeople(
  env: Env,
  workspace: WorkspaceRef,
  numbers: readonly number[],
): Promise<{ externalId: string; since: number }[]> {
  const query = statement<{ externalId: string; since: number }>(
    SELECT_PEOPLE,
    workspace.number,
    JSON.stringify(numbers),
  );
  return (await runBatch(databaseOf(env, workspace), [query]))[0].results;
}
