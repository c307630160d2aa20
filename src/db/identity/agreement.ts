/**
 * Records the data processing agreement: who accepted which version, when, and when it was withdrawn. Its rows stay as an
 * audit trail. A withdrawal erases what was stored under the agreement.
 *
 * The first step of a withdrawal closes the acceptance, so that nothing more is attached. The erasure that follows is
 * finished by the same call or, if that is interrupted, by the cron. Until then no new acceptance takes effect.
 */
import { and, desc, eq, exists, isNull, lt, max, not, notExists, or, sql } from "drizzle-orm";

import { allDatabases, type Database, databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { once, withRetry } from "../client/faults.ts";
import { runBatch, type Statement, statement } from "../client/statements.ts";
import { agreements, identityTraits, workspaces } from "../schema/schema.ts";
import { ERASE_STEP, TRAITS_PER_STEP, WITHDRAW } from "./agreement-sql.ts";

export interface Agreement {
  version: string;
  acceptedBy: string;
  acceptedAt: number;
}

export interface RecordedAgreement extends Agreement {
  /** `null` while it is in force. A newer acceptance ends the one before. */
  withdrawnAt: number | null;
}

const inForce = (db: Database, workspace: number | typeof workspaces.number) =>
  db
    .select({ id: agreements.id })
    .from(agreements)
    .where(and(eq(agreements.workspace, workspace), isNull(agreements.withdrawnAt)));

const traitsOf = (db: Database, workspace: number | typeof workspaces.number) =>
  db.select({ subject: identityTraits.subject }).from(identityTraits).where(eq(identityTraits.workspace, workspace));

export async function hasAgreement(env: Env, workspace: WorkspaceRef): Promise<boolean> {
  const accepted = await withRetry(() => inForce(directory(env), workspace.number).limit(1));
  return accepted.length > 0;
}

export const agreementsQuery = (db: Database, { number }: WorkspaceRef, limit: number) =>
  db
    .select({
      version: agreements.version,
      acceptedBy: agreements.acceptedBy,
      acceptedAt: agreements.acceptedAt,
      withdrawnAt: agreements.withdrawnAt,
    })
    .from(agreements)
    .where(eq(agreements.workspace, number))
    .orderBy(desc(agreements.id))
    .limit(limit);

/** Accepts the agreement and closes an earlier acceptance. @returns false when the workspace no longer exists */
export async function acceptAgreement(env: Env, workspace: WorkspaceRef, agreement: Agreement): Promise<boolean> {
  const db = databaseOf(env, workspace);
  const { number } = workspace;
  const { version, acceptedBy, acceptedAt } = agreement;
  const live = and(eq(workspaces.number, number), isNull(workspaces.erasedAt));
  // What was stored under a withdrawn acceptance must be erased before a new one.
  const mayAccept = or(exists(inForce(db, number)), notExists(traitsOf(db, number)));
  const newest = db
    .select({ id: max(agreements.id) })
    .from(agreements)
    .where(eq(agreements.workspace, number));
  const older = and(
    eq(agreements.workspace, number),
    isNull(agreements.withdrawnAt),
    lt(agreements.id, sql`${newest}`),
  );
  for (;;) {
    const [accepted, , found] = await once(() =>
      db.batch([
        db.insert(agreements).select(
          db
            .select({
              id: sql<number>`NULL`.as("id"),
              workspace: workspaces.number,
              version: sql<string>`${version}`.as("version"),
              acceptedBy: sql<string>`${acceptedBy}`.as("accepted_by"),
              acceptedAt: sql<number>`${acceptedAt}`.as("accepted_at"),
              withdrawnAt: sql<null>`NULL`.as("withdrawn_at"),
            })
            .from(workspaces)
            .where(and(live, mayAccept)),
        ),
        db.update(agreements).set({ withdrawnAt: acceptedAt }).where(older),
        db.select({ number: workspaces.number }).from(workspaces).where(live),
      ]),
    );
    if (accepted.meta.changes > 0) return true;
    if (found.length === 0) return false;
    await eraseTraits(db, workspace);
  }
}

/** Withdraws the acceptance and erases the workspace's identity traits. May be repeated. */
export async function withdrawAgreement(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  await eraseTraits(databaseOf(env, workspace), workspace, statement(WITHDRAW, workspace.number, now));
}

/**
 * Finishes interrupted withdrawals of all workspaces. A failure doesn't stop the others in the same database; later
 * databases are left to the next call.
 * @throws the first failure
 */
export async function finishAgreementWithdrawals(env: Env): Promise<void> {
  for (const db of allDatabases(env)) {
    const unfinished = await withRetry(() =>
      db
        .select({ id: workspaces.id, number: workspaces.number })
        .from(workspaces)
        .where(and(exists(traitsOf(db, workspaces.number)), not(exists(inForce(db, workspaces.number))))),
    );
    const settled = await Promise.allSettled(unfinished.map((workspace) => eraseTraits(db, workspace)));
    for (const one of settled) if (one.status === "rejected") throw one.reason;
  }
}

/**
 * Erases identity traits step by step, unless the agreement is in force.
 * @param closing runs in the transaction of the first step; may be repeated
 */
async function eraseTraits(db: Database, { number }: WorkspaceRef, ...closing: Statement[]): Promise<void> {
  const step = ERASE_STEP.map((text) => statement(text, number));
  let statements = [...closing, ...step];
  let erased: number;
  do {
    const results = await runBatch(db, statements);
    erased = results.at(-1)?.meta.changes ?? 0;
    statements = step;
  } while (erased >= TRAITS_PER_STEP);
}
