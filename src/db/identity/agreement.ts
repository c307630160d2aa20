/**
 * Records the data processing agreement: who accepted which version, when, and when it was withdrawn. The directory keeps
 * these rows as an audit trail. The workspace's own database only knows whether the agreement is in force, because its
 * statements check that.
 *
 * The directory changes first. The workspace is marked in the same transaction until its database has followed, so that
 * the cron finishes what was interrupted. Until the database has followed an acceptance, nothing is attached; until it
 * has followed a withdrawal, nothing is attached either, because the directory is asked first.
 */
import { and, eq, isNull } from "drizzle-orm";

import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { once, withRetry } from "../client/faults.ts";
import { runBatch, sendBatch, statement } from "../client/statements.ts";
import { agreements, workspaces } from "../schema/schema.ts";
import { requireLive } from "../workspaces/require-live.ts";
import { listWhere, notErased } from "../workspaces/workspaces.ts";
import { ALLOW, DISALLOW, ERASE_STEP, TRAITS_PER_STEP } from "./agreement-sql.ts";

export const agreementColumns = {
  version: agreements.version,
  acceptedBy: agreements.acceptedBy,
  acceptedAt: agreements.acceptedAt,
  withdrawnAt: agreements.withdrawnAt,
};

/** In force while `withdrawnAt` is `null`. A newer acceptance ends the one before. */
export type RecordedAgreement = Pick<typeof agreements.$inferSelect, keyof typeof agreementColumns>;

/** What a workspace's database has to know. */
interface State {
  /** The acceptance in force. */
  allowed: number | null;
  /** The newest withdrawn acceptance. One that a newer acceptance replaced at once doesn't count: its traits stay. */
  disallowed: number | null;
}

const a = columnsOf(agreements, "a");
const own = columnsOf(agreements);
const w = columnsOf(workspaces);

const IS_OPEN = `${own.workspace} = ?1 AND ${own.withdrawnAt} IS NULL`;

const SELECT_STATE = `
SELECT max(iif(${a.withdrawnAt} IS NULL, ${a.id}, NULL)) AS allowed,
  max(iif(${a.withdrawnAt} IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM ${own.table} newer
    WHERE newer.${own.workspace} = ?1 AND newer.${own.id} > ${a.id} AND newer.${own.acceptedAt} = ${a.withdrawnAt}
  ), ${a.id}, NULL)) AS disallowed
FROM ${a.table} WHERE ${a.workspace} = ?1`;

const INSERT = `
INSERT INTO ${own.table} (${own.workspace}, ${own.version}, ${own.acceptedBy}, ${own.acceptedAt})
SELECT ${w.number}, ?2, ?3, ?4 FROM ${w.table} WHERE ${w.number} = ?1 AND ${w.erasedAt} IS NULL`;
const CLOSE_EARLIER = `
UPDATE ${own.table} SET ${own.withdrawnAt} = ?2
WHERE ${IS_OPEN} AND ${own.id} < (SELECT max(${own.id}) FROM ${own.table} WHERE ${own.workspace} = ?1)`;
const CLOSE = `UPDATE ${own.table} SET ${own.withdrawnAt} = ?2 WHERE ${IS_OPEN}`;
const MARK_CHANGED = `
UPDATE ${w.table} SET ${w.agreementChanged} = 1
WHERE ${w.number} = ?1 AND EXISTS (SELECT 1 FROM ${own.table} WHERE ${IS_OPEN})`;
/** Another request may have changed the agreement since it was read. Then it follows, or the cron does. ?2 and ?3 the state. */
const CLEAR_CHANGED = `
UPDATE ${w.table} SET ${w.agreementChanged} = 0 WHERE ${w.number} = ?1 AND NOT EXISTS (
  SELECT 1 FROM ${own.table} WHERE ${own.workspace} = ?1
    AND (${own.id} > max(coalesce(?2, 0), coalesce(?3, 0)) OR ${own.id} = ?2 AND ${own.withdrawnAt} IS NOT NULL)
)`;

/** @returns `null` when the workspace no longer exists */
export async function hasAgreement(env: Env, { number }: WorkspaceRef): Promise<boolean | null> {
  const isOpen = and(eq(agreements.workspace, workspaces.number), isNull(agreements.withdrawnAt));
  const inForce = directory(env).select({ id: agreements.id }).from(workspaces).leftJoin(agreements, isOpen);
  const [found] = await withRetry(() => inForce.where(and(eq(workspaces.number, number), notErased)).limit(1));
  return found === undefined ? null : found.id !== null;
}

/** Accepts the agreement and closes an earlier acceptance. @returns false when the workspace no longer exists */
export async function acceptAgreement(
  env: Env,
  workspace: WorkspaceRef,
  { version, acceptedBy, acceptedAt }: Omit<RecordedAgreement, "withdrawnAt">,
): Promise<boolean> {
  const { number } = workspace;
  const [accepted, , , { results }] = await once(() =>
    sendBatch(directory(env), [
      statement(INSERT, number, version, acceptedBy, acceptedAt),
      statement(CLOSE_EARLIER, number, acceptedAt),
      statement(MARK_CHANGED, number),
      statement<State>(SELECT_STATE, number),
    ]),
  );
  if (accepted.meta.changes === 0) return false;
  await followAgreement(env, workspace, results);
  return true;
}

/** Withdraws the acceptance and erases the workspace's identity traits. May be repeated. */
export async function withdrawAgreement(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  const { number } = workspace;
  const [, , { results }] = await runBatch(directory(env), [
    statement(MARK_CHANGED, number),
    statement(CLOSE, number, now),
    statement<State>(SELECT_STATE, number),
  ]);
  await followAgreement(env, workspace, results);
}

/** Steps of a call, of four statements each. A change takes up to five more. */
const MAX_STEPS = 40;
/** The cron needs most of its statements for the databases, so it finishes few changes. Its next run continues. */
const MAX_FINISHED = 5;
const MAX_STEPS_OF_CRON = 4;

/** Finishes interrupted changes. @throws the first failure, after all others had their turn */
export async function finishAgreementChanges(env: Env): Promise<void> {
  const changed = await listWhere(env, and(eq(workspaces.agreementChanged, true), notErased));
  const settled = await Promise.allSettled(
    changed.slice(0, MAX_FINISHED).map(async (workspace) => {
      const [{ results }] = await runBatch(directory(env), [statement<State>(SELECT_STATE, workspace.number)]);
      await followAgreement(env, workspace, results, MAX_STEPS_OF_CRON);
    }),
  );
  for (const one of settled) if (one.status === "rejected") throw one.reason;
}

/**
 * Lets the workspace's database follow the directory. What was stored under a withdrawn acceptance is erased, also before
 * a new one takes effect. Several calls may run at once.
 */
async function followAgreement(
  env: Env,
  workspace: WorkspaceRef,
  [state]: State[],
  maxSteps = MAX_STEPS,
): Promise<void> {
  if (state === undefined) return;
  const { allowed, disallowed } = state;
  const { number } = workspace;
  const db = databaseOf(env, workspace);
  const closing = disallowed === null ? [] : [statement(DISALLOW, number, disallowed)];
  const step = [requireLive(workspace), ...ERASE_STEP.map((text) => statement(text, number))];
  for (let steps = 0, erased = TRAITS_PER_STEP; erased >= TRAITS_PER_STEP; steps += 1) {
    if (steps === maxSteps) return; // the cron continues
    const results = await runBatch(db, steps === 0 ? [...closing, ...step] : step);
    erased = results.at(-1)?.meta.changes ?? 0;
  }
  if (allowed !== null) await runBatch(db, [requireLive(workspace), statement(ALLOW, number, allowed)]);
  await runBatch(directory(env), [statement(CLEAR_CHANGED, number, allowed, disallowed)]);
}
