/**
 * Lets one run at a time write to a workspace. The lease is a row that names the run that may write and expires in case the
 * run never releases it. Every write of a run checks the lease in its own transaction.
 */
import { and, eq, sql } from "drizzle-orm";

import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { isLive } from "../client/sql-fragments.ts";
import { leases, workspaceStates } from "../schema/schema.ts";
import type { Session } from "./session.ts";

const l = columnsOf(leases);

/**
 * Whether the run still holds the workspace's lease and the workspace still lives here. Every write of a run has this
 * condition, so a run that lost its lease, or whose workspace is being erased, changes nothing.
 * @param holder, workspace their parameters, as `?4`
 */
export const mayWrite = (holder: string, workspace: string): string =>
  `EXISTS (SELECT 1 FROM ${l.table} WHERE ${l.workspace} = ${workspace} AND ${l.holder} = ${holder}) AND ${isLive(workspace)}`;

/**
 * Takes the lease.
 * @returns false while another run holds it and it has not expired, or when the workspace doesn't live here
 */
export async function acquireLease(
  { db, holder }: Session,
  { number }: WorkspaceRef,
  now: number,
  expiresAt: number,
): Promise<boolean> {
  const live = db
    .select({
      workspace: workspaceStates.number,
      holder: sql<string>`${holder}`.as("holder"),
      expiresAt: sql<number>`${expiresAt}`.as("expires_at"),
    })
    .from(workspaceStates)
    .where(and(eq(workspaceStates.number, number), eq(workspaceStates.state, "live")));
  const { meta } = await withRetry(() =>
    db
      .insert(leases)
      .select(live)
      .onConflictDoUpdate({
        target: leases.workspace,
        set: { holder, expiresAt },
        setWhere: sql`${leases.holder} IS NULL OR ${leases.holder} = ${holder} OR ${leases.expiresAt} <= ${now}`,
      }),
  );
  return meta.changes > 0;
}

export async function releaseLease({ db, holder }: Session, { number }: WorkspaceRef): Promise<void> {
  const own = and(eq(leases.workspace, number), eq(leases.holder, holder));
  await withRetry(() => db.update(leases).set({ holder: null }).where(own));
}
