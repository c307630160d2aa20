/**
 * Records the data processing agreement: who accepted which version, when, and when it was withdrawn. The directory keeps
 * these rows as an audit trail. The workspace's own database only knows whether the agreement is in force, because its
 * statements check that.
 *
 * The directory changes first. The workspace is marked in the same transaction until its database has followed, so that
 * the cron finishes what was interrupted. Until the database has followed an acceptance, nothing is attached; until it
 * has followed a withdrawal, nothing is attached either, because the directory is asked first.
 */
import { and, desc, eq, exists, gt, isNotNull, isNull, lt, max, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { type Database, databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { once, withRetry } from "../client/faults.ts";
import { runBatch, type Statement, statement } from "../client/statements.ts";
import { agreements, workspaces } from "../schema/schema.ts";
import { requireLive } from "../workspaces/require-live.ts";
import { workspaceRefColumns } from "../workspaces/workspace-ref.ts";
import { ALLOW, DISALLOW, ERASE_STEP, TRAITS_PER_STEP } from "./agreement-sql.ts";

export interface Agreement {
  version: string;
  acceptedBy: string;
  acceptedAt: number;
}

export interface RecordedAgreement extends Agreement {
  /** `null` while it is in force. A newer acceptance ends the one before. */
  withdrawnAt: number | null;
}

/** What a workspace's database has to know. */
interface State {
  /** The acceptance in force. */
  allowed: number | null;
  /** The newest withdrawn acceptance. One that a newer acceptance replaced at once doesn't count: its traits stay. */
  disallowed: number | null;
}

const stateQuery = (db: Database, workspace: number) => {
  const newer = alias(agreements, "newer");
  const replacement = db
    .select({ id: newer.id })
    .from(newer)
    .where(
      and(
        eq(newer.workspace, workspace),
        gt(newer.id, agreements.id),
        eq(newer.acceptedAt, sql`${agreements.withdrawnAt}`),
      ),
    );
  return db
    .select({
      allowed: sql<number | null>`max(iif(${agreements.withdrawnAt} IS NULL, ${agreements.id}, NULL))`,
      disallowed: sql<
        number | null
      >`max(iif(${agreements.withdrawnAt} IS NOT NULL AND ${notExists(replacement)}, ${agreements.id}, NULL))`,
    })
    .from(agreements)
    .where(eq(agreements.workspace, workspace));
};

const openOf = (workspace: number) => and(eq(agreements.workspace, workspace), isNull(agreements.withdrawnAt));

export async function hasAgreement(env: Env, { number }: WorkspaceRef): Promise<boolean> {
  const inForce = directory(env).select({ id: agreements.id }).from(agreements).where(openOf(number)).limit(1);
  return (await withRetry(() => inForce)).length > 0;
}

export const agreementColumns = {
  version: agreements.version,
  acceptedBy: agreements.acceptedBy,
  acceptedAt: agreements.acceptedAt,
  withdrawnAt: agreements.withdrawnAt,
};

export const agreementsQuery = (db: Database, { number }: WorkspaceRef, limit: number) =>
  db
    .select(agreementColumns)
    .from(agreements)
    .where(eq(agreements.workspace, number))
    .orderBy(desc(agreements.id))
    .limit(limit);

/** Accepts the agreement and closes an earlier acceptance. @returns false when the workspace no longer exists */
export async function acceptAgreement(env: Env, workspace: WorkspaceRef, agreement: Agreement): Promise<boolean> {
  const db = directory(env);
  const { number } = workspace;
  const { version, acceptedBy, acceptedAt } = agreement;
  const live = and(eq(workspaces.number, number), isNull(workspaces.erasedAt));
  const last = db
    .select({ id: max(agreements.id) })
    .from(agreements)
    .where(eq(agreements.workspace, number));
  const [accepted, , , [state]] = await once(() =>
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
          .where(live),
      ),
      db
        .update(agreements)
        .set({ withdrawnAt: acceptedAt })
        .where(and(openOf(number), lt(agreements.id, sql`${last}`))),
      db.update(workspaces).set({ agreementChanged: true }).where(live),
      stateQuery(db, number),
    ]),
  );
  if (accepted.meta.changes === 0) return false;
  await followAgreement(env, workspace, state);
  return true;
}

/** Withdraws the acceptance and erases the workspace's identity traits. May be repeated. */
export async function withdrawAgreement(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  const db = directory(env);
  const { number } = workspace;
  const open = db.select({ id: agreements.id }).from(agreements).where(openOf(number));
  const [, , [state]] = await withRetry(() =>
    db.batch([
      db
        .update(workspaces)
        .set({ agreementChanged: true })
        .where(and(eq(workspaces.number, number), exists(open))),
      db.update(agreements).set({ withdrawnAt: now }).where(openOf(number)),
      stateQuery(db, number),
    ]),
  );
  await followAgreement(env, workspace, state);
}

/** Together with `MAX_STEPS` far from the statements that an invocation may send. The next run of the cron continues. */
const MAX_FINISHED = 10;

/** Finishes interrupted changes. @throws the first failure, after all others had their turn */
export async function finishAgreementChanges(env: Env): Promise<void> {
  const changed = await withRetry(() =>
    directory(env)
      .select(workspaceRefColumns)
      .from(workspaces)
      .where(and(eq(workspaces.agreementChanged, true), isNull(workspaces.erasedAt)))
      .limit(MAX_FINISHED),
  );
  const settled = await Promise.allSettled(
    changed.map(async (workspace) => {
      const [state] = await withRetry(() => stateQuery(directory(env), workspace.number));
      await followAgreement(env, workspace, state);
    }),
  );
  for (const one of settled) if (one.status === "rejected") throw one.reason;
}

/**
 * Lets the workspace's database follow the directory. What was stored under a withdrawn acceptance is erased, also before
 * a new one takes effect. Several calls may run at once.
 */
async function followAgreement(env: Env, workspace: WorkspaceRef, state: State | undefined): Promise<void> {
  if (state === undefined) return;
  const { allowed, disallowed } = state;
  const { number } = workspace;
  const db = directory(env);
  const own = databaseOf(env, workspace);
  const closing = disallowed === null ? [] : [statement(DISALLOW, number, disallowed)];
  if (!(await eraseTraits(own, workspace, ...closing))) return; // the cron continues
  if (allowed !== null) await runBatch(own, [requireLive(number), statement(ALLOW, number, allowed)]);
  // Another request may have changed the agreement meanwhile. Then it follows, or the cron does.
  const later = db
    .select({ id: agreements.id })
    .from(agreements)
    .where(
      and(
        eq(agreements.workspace, number),
        or(
          gt(agreements.id, Math.max(allowed ?? 0, disallowed ?? 0)),
          allowed === null ? undefined : and(eq(agreements.id, allowed), isNotNull(agreements.withdrawnAt)),
        ),
      ),
    );
  await withRetry(() =>
    db
      .update(workspaces)
      .set({ agreementChanged: false })
      .where(and(eq(workspaces.number, number), notExists(later))),
  );
}

const MAX_STEPS = 40;

/**
 * Erases identity traits step by step, unless the agreement is in force.
 * @param closing runs in the transaction of the first step; may be repeated
 * @returns whether none is left
 */
async function eraseTraits(db: Database, { number }: WorkspaceRef, ...closing: Statement[]): Promise<boolean> {
  const step = [requireLive(number), ...ERASE_STEP.map((text) => statement(text, number))];
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const results = await runBatch(db, steps === 0 ? [...closing, ...step] : step);
    if ((results.at(-1)?.meta.changes ?? 0) < TRAITS_PER_STEP) return true;
  }
  return false;
}
