/**
 * The record of the data processing agreement: who accepted which version, when, and when it was withdrawn. Its rows
 * stay, as an audit trail; what was stored under the agreement goes with its withdrawal.
 *
 * The gate closes in the transaction of the first step: nothing is attached where no acceptance stands. So the steps
 * after it only have to come to their end, by the same call or, should that be cut short, by the cron; and no new
 * acceptance takes hold before they have.
 */
import { allDatabases, databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { once, withRetry } from "../client/faults.ts";
import { deleteNamesSql } from "./identity-names.ts";
import { agreements } from "../schema/schema.ts";

export interface Agreement {
  version: string;
  acceptedBy: string;
  /** Milliseconds since the epoch. */
  acceptedAt: number;
}

export interface RecordedAgreement extends Agreement {
  /** `null` while it stands. One that a newer acceptance took the place of ended at the moment of that. */
  withdrawnAt: number | null;
}

export const recordedColumns = {
  version: agreements.version,
  acceptedBy: agreements.acceptedBy,
  acceptedAt: agreements.acceptedAt,
  withdrawnAt: agreements.withdrawnAt,
};

/**
 * Whether an acceptance stands, in SQL for any transaction to ask: a database of a workspace's data needs its agreements
 * beside the directory's, as it does the workspace's own row.
 * @param workspace its number
 */
export const agreementStands = (workspace: string): string =>
  `EXISTS (SELECT 1 FROM agreements WHERE workspace = ${workspace} AND withdrawn_at IS NULL)`;

export async function hasAgreement(env: Env, workspace: WorkspaceRef): Promise<boolean> {
  const asking = directory(env)
    .$client.prepare(`SELECT ${agreementStands("?1")} AS stands`)
    .bind(workspace.number);
  return (await withRetry(() => asking.first<number>("stands"))) === 1;
}

/** Nothing that was stored under a withdrawn acceptance must come to stand under this one. */
const ACCEPT = `
INSERT INTO agreements (workspace, version, accepted_by, accepted_at)
SELECT ?1, ?2, ?3, ?4 FROM workspaces w
WHERE w.number = ?1 AND w.erased_at IS NULL
  AND (${agreementStands("?1")} OR NOT EXISTS (SELECT 1 FROM identity_traits WHERE workspace = ?1))`;

const CLOSE_OLDER = `
UPDATE agreements SET withdrawn_at = ?2
WHERE workspace = ?1 AND withdrawn_at IS NULL AND id < (SELECT max(id) FROM agreements WHERE workspace = ?1)`;

const WITHDRAW = "UPDATE agreements SET withdrawn_at = ?2 WHERE workspace = ?1 AND withdrawn_at IS NULL";

/** A trait has up to 65 trigrams: well below a second of SQL. */
const TRAITS_PER_STEP = 1_000;
const STEP = `
  SELECT subject_kind AS kind, subject, key AS source FROM identity_traits
  WHERE workspace = ?1 ORDER BY subject_kind, subject, key LIMIT ${TRAITS_PER_STEP}`;

/** The traits last: the others find by them what to take away. */
const ERASE_STEP = [
  ...deleteNamesSql(STEP, `NOT ${agreementStands("?1")}`),
  `
DELETE FROM identity_traits WHERE (workspace, subject_kind, subject, key) IN (SELECT ?1, kind, subject, source FROM (${STEP}))
AND NOT ${agreementStands("?1")}`,
];

/** An acceptance that stood before is closed at the moment of the new one. Returns false when the workspace is gone. */
export async function acceptAgreement(env: Env, workspace: WorkspaceRef, agreement: Agreement): Promise<boolean> {
  const { $client } = databaseOf(env, workspace);
  const { version, acceptedBy, acceptedAt } = agreement;
  for (;;) {
    const [accepted, , live] = await once(() =>
      $client.batch([
        $client.prepare(ACCEPT).bind(workspace.number, version, acceptedBy, acceptedAt),
        $client.prepare(CLOSE_OLDER).bind(workspace.number, acceptedAt),
        $client.prepare("SELECT 1 FROM workspaces WHERE number = ?1 AND erased_at IS NULL").bind(workspace.number),
      ]),
    );
    if ((accepted?.meta.changes ?? 0) > 0) return true;
    if (live === undefined || live.results.length === 0) return false;
    await eraseWithdrawn(env, workspace);
  }
}

/** Withdraws the acceptance and erases the workspace's identity traits. Withdrawing twice is withdrawing once. */
export async function withdrawAgreement(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  await eraseWithdrawn(env, workspace, [WITHDRAW, workspace.number, now]);
}

/**
 * Comes to the end of withdrawals that were cut short, in all workspaces. One that fails leaves the others of its
 * database alone; the databases after that one are left to the next call.
 * @throws the first failure of a database, once all others in it came to their end
 */
export async function finishWithdrawals(env: Env): Promise<void> {
  for (const { $client } of allDatabases(env)) {
    const { results } = await withRetry(() => $client.prepare(LIST_UNFINISHED).all<WorkspaceRef>());
    const settled = await Promise.allSettled(results.map((workspace) => eraseWithdrawn(env, workspace)));
    for (const one of settled) if (one.status === "rejected") throw one.reason;
  }
}

const LIST_UNFINISHED = `
SELECT w.id, w.number FROM workspaces w
WHERE EXISTS (SELECT 1 FROM identity_traits WHERE workspace = w.number) AND NOT ${agreementStands("w.number")}`;

/**
 * Erases identity traits step by step, unless an acceptance stands.
 * @param closing what closes the gate, in the transaction of the first step; may be repeated
 */
async function eraseWithdrawn(
  env: Env,
  workspace: WorkspaceRef,
  ...closing: [sql: string, ...values: number[]][]
): Promise<void> {
  const { $client } = databaseOf(env, workspace);
  const steps = ERASE_STEP.map((sql) => $client.prepare(sql).bind(workspace.number));
  let first = closing.map(([sql, ...values]) => $client.prepare(sql).bind(...values));
  let erased: number;
  do {
    const statements = [...first, ...steps];
    const results = await withRetry(() => $client.batch(statements));
    erased = results.at(-1)?.meta.changes ?? 0;
    first = [];
  } while (erased >= TRAITS_PER_STEP);
}
