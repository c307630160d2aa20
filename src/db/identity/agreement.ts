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

import type { AuditEntry } from "../../core/audit.ts";
import { auditStatement } from "../audit/audit-log.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { expression } from "../client/expression.ts";
import { once, withRetry } from "../client/faults.ts";
import { prepare, prepareQuery, type RowOf } from "../client/prepare.ts";
import { runBatch, sendBatch } from "../client/run-statements.ts";
import { agreements, workspaces } from "../schema/schema.ts";
import { requireLive } from "../workspaces/require-live.ts";
import { listWhere, notErased } from "../workspaces/find-workspace.ts";
import { ALLOW, DISALLOW, ERASE_STEP, TRAITS_PER_STEP } from "./agreement-sql.ts";

export const agreementColumns = {
  version: agreements.version,
  acceptedBy: agreements.acceptedBy,
  acceptedAt: agreements.acceptedAt,
  withdrawnAt: agreements.withdrawnAt,
};

/** In force while `withdrawnAt` is `null`. A newer acceptance ends the one before. */
export type RecordedAgreement = Pick<typeof agreements.$inferSelect, keyof typeof agreementColumns>;

const agreement = columnsOf(agreements);
const accepted = columnsOf(agreements, "accepted");
const newer = columnsOf(agreements, "newer");
/** In the directory. */
const entry = columnsOf(workspaces);

/** The acceptances that a workspace's database has to know. */
const STATE = {
  /** The acceptance in force. */
  allowed: expression<number | null>(`max(iif(${accepted.withdrawnAt} IS NULL, ${accepted.id}, NULL))`),
  /** The newest withdrawn acceptance. One that was replaced by a newer one at once doesn't count: its traits stay. */
  disallowed: expression<number | null>(`max(iif(${accepted.withdrawnAt} IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM ${newer.table}
    WHERE ${newer.workspace} = :workspace AND ${newer.id} > ${accepted.id} AND ${newer.acceptedAt} = ${accepted.withdrawnAt}
  ), ${accepted.id}, NULL))`),
};

// SQL text, because each statement depends on what the one before it changed in the same transaction.

const SELECT_STATE = prepareQuery(
  STATE,
  (columns) => `SELECT ${columns} FROM ${accepted.table} WHERE ${accepted.workspace} = :workspace`,
);

const INSERT = prepare(`
INSERT INTO ${agreement.table} (${agreement.workspace}, ${agreement.version}, ${agreement.acceptedBy}, ${agreement.acceptedAt})
SELECT ${entry.number}, :version, :acceptedBy, :now FROM ${entry.table}
WHERE ${entry.number} = :workspace AND ${entry.erasedAt} IS NULL`);

const IS_OPEN = `${agreement.workspace} = :workspace AND ${agreement.withdrawnAt} IS NULL`;
const CLOSE = `UPDATE ${agreement.table} SET ${agreement.withdrawnAt} = :now WHERE ${IS_OPEN}`;
const CLOSE_OPEN = prepare(CLOSE);
const CLOSE_EARLIER = prepare(`${CLOSE} AND ${agreement.id} < (
  SELECT max(${agreement.id}) FROM ${agreement.table} WHERE ${agreement.workspace} = :workspace)`);

const MARK_CHANGED = prepare(`
UPDATE ${entry.table} SET ${entry.agreementChanged} = 1
WHERE ${entry.number} = :workspace AND EXISTS (SELECT 1 FROM ${agreement.table} WHERE ${IS_OPEN})`);
/** Another request may have changed the agreement since. That request or the cron then updates the database. */
const CLEAR_CHANGED = prepare(`
UPDATE ${entry.table} SET ${entry.agreementChanged} = 0
WHERE ${entry.number} = :workspace AND NOT EXISTS (
  SELECT 1 FROM ${agreement.table} WHERE ${agreement.workspace} = :workspace AND (
    ${agreement.id} > max(coalesce(:allowed, 0), coalesce(:disallowed, 0))
    OR ${agreement.id} = :allowed AND ${agreement.withdrawnAt} IS NOT NULL
  )
)`);

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
  audit: AuditEntry | null = null,
): Promise<boolean> {
  const values = { workspace: workspace.number, version, acceptedBy, now: acceptedAt };
  const [inserted, , , , { results }] = await once(() =>
    sendBatch(directory(env), [
      INSERT.bind(values),
      auditStatement(audit),
      CLOSE_EARLIER.bind(values),
      MARK_CHANGED.bind(values),
      SELECT_STATE.bind(values),
    ]),
  );
  if (inserted.meta.changes === 0) return false;
  await followAgreement(env, workspace, results);
  return true;
}

/** Withdraws the acceptance and erases the workspace's identity traits. May be repeated. */
export async function withdrawAgreement(
  env: Env,
  workspace: WorkspaceRef,
  now: number,
  audit: AuditEntry | null = null,
): Promise<void> {
  const values = { workspace: workspace.number, now };
  const [, , , { results }] = await runBatch(directory(env), [
    MARK_CHANGED.bind(values),
    CLOSE_OPEN.bind(values),
    auditStatement(audit),
    SELECT_STATE.bind(values),
  ]);
  await followAgreement(env, workspace, results);
}

/** The number of steps in a call. A step takes four statements, and a change up to five more. */
const MAX_STEPS = 40;
/** The cron needs most of its statements for the databases, so it finishes few changes. Its next run continues. */
const MAX_FINISHED = 5;
const MAX_STEPS_OF_CRON = 4;

/** Finishes interrupted changes. @throws the first failure, after all others had their turn */
export async function finishAgreementChanges(env: Env): Promise<void> {
  const changed = await listWhere(env, and(eq(workspaces.agreementChanged, true), notErased));
  const settled = await Promise.allSettled(
    changed.slice(0, MAX_FINISHED).map((workspace) => followDirectory(env, workspace, MAX_STEPS_OF_CRON)),
  );
  for (const one of settled) if (one.status === "rejected") throw one.reason;
}

/** Makes a workspace's database follow the directory. @returns false when the rest has to wait */
export async function followDirectory(env: Env, workspace: WorkspaceRef, maxSteps = MAX_STEPS): Promise<boolean> {
  const [{ results }] = await runBatch(directory(env), [SELECT_STATE.bind({ workspace: workspace.number })]);
  return followAgreement(env, workspace, results, maxSteps);
}

/**
 * Updates the workspace's database to match the directory. It erases traits stored under a withdrawn acceptance, even
 * when a new one is about to take effect. Several calls may run at once.
 * @returns false when traits are left to erase
 */
async function followAgreement(
  env: Env,
  workspace: WorkspaceRef,
  [state]: RowOf<typeof STATE>[],
  maxSteps = MAX_STEPS,
): Promise<boolean> {
  if (state === undefined) return true;
  const { allowed, disallowed } = state;
  const own = { workspace: workspace.number };
  const db = databaseOf(env, workspace);
  const closing = disallowed === null ? [] : [DISALLOW.bind({ ...own, acceptance: disallowed })];
  const step = [requireLive(workspace), ...ERASE_STEP.map((query) => query.bind(own))];
  for (let steps = 0, erased = TRAITS_PER_STEP; erased >= TRAITS_PER_STEP; steps += 1) {
    if (steps === maxSteps) return false; // the cron continues
    const results = await runBatch(db, steps === 0 ? [...closing, ...step] : step);
    erased = results.at(-1)?.meta.changes ?? 0;
  }
  if (allowed !== null) await runBatch(db, [requireLive(workspace), ALLOW.bind({ ...own, acceptance: allowed })]);
  await runBatch(directory(env), [CLEAR_CHANGED.bind({ ...own, allowed, disallowed })]);
  return true;
}
