/**
 * Repairs the inconsistencies that a restore of databases has left: first in the records that the directory, the
 * databases, the limiter and the journal have of each workspace, then in its people and its archive. Every step may be
 * repeated, and a healthy deployment has nothing to repair. See docs/decisions/0035-restores.md.
 */
import { findComplete, listBackups } from "../../archive/backups.ts";
import { claimNumber, listClaims, readJournal } from "../../archive/journal.ts";
import {
  agreementNumber,
  type DirectoryEntry,
  type Finding,
  type WorkspaceFinding,
  isRepair,
  type KnownWorkspace,
  planRepairs,
  type Repair,
} from "../../core/reconcile/plan-repairs.ts";
import { databaseNames } from "../../db/client/database.ts";
import { requestRebuild } from "../../db/recompute/rebuild-sql.ts";
import * as repairs from "../../db/reconcile/repairs.ts";
import { MAX_WORKSPACE_NUMBER } from "../../db/schema/workspaces.ts";
import { revokeKey } from "../../db/workspaces/api-keys.ts";
import { eraseSides, markSide } from "../../db/workspaces/erase-workspace.ts";
import { findWorkspace } from "../../db/workspaces/find-workspace.ts";
import { readRecords, listWorkspaces } from "../../db/workspaces/list-workspaces.ts";
import { callLimiter, configureLimiter } from "../../limiter/call-limiter.ts";
import { reconcileFiles } from "../archive/reconcile-files.ts";
import { withdrawAgreement } from "../agreement.ts";
import { enqueueRest } from "../tasks/enqueue.ts";
import { copyLimits } from "../workspaces/storage-limits.ts";
import { describeFindings } from "./describe-findings.ts";
import { erasePeople } from "./erase-people.ts";

/** The reads of a page send up to 170 statements, and then a repair up to 850. D1 ends an invocation at 1,000. */
const WORKSPACES_PER_PAGE = 20;
const MAX_ERASE_STEPS = 300;
const MAX_KEYS = 300;

/** After any other repair, the workspace is compared again. */
const changesMuch = (finding: Finding): boolean => isRepair(finding) && finding !== "claim_missing";

/** A number, and everything known about it. The first known id counts. */
type Row = KnownWorkspace & { number: number; id: string; claimedAt: number; hasPeople: boolean };

/** The decisions of an operator. */
export interface Decisions {
  /** Whether to erase old copies. They become the newest again if another database is still to be restored. */
  eraseCopies: boolean;
  /** The workspace to use again without its data, because no database has the data. */
  startEmpty: string | null;
}

/**
 * Reconciles a page of workspaces, those with the highest numbers first.
 * @param before the `next` of the previous page
 * @returns `next` is `null` on the last page. A page ends with its first repair, and the next one begins with that workspace
 * @throws ArchiveUnavailable; DatabaseUnavailable; LimiterUnavailable
 */
export async function reconcile(env: Env, before: number | null, decisions: Decisions, now: number) {
  const { rows, next } = await readPage(env, before ?? MAX_WORKSPACE_NUMBER + 1);
  const findings: WorkspaceFinding[] = [];
  for (const row of rows) {
    const found = await reconcileWorkspace(env, row, decisions, now);
    findings.push(...found);
    for (const { workspace, finding } of found)
      console.warn(JSON.stringify({ operation: "reconcile", workspace, finding }));
    const kinds = found.map(({ finding }) => finding);
    if (kinds.some(changesMuch) && !kinds.includes("busy")) return { findings, next: row.number + 1 };
  }
  return { findings, next };
}

/**
 * Reads the journal's numbers before the directory, because the directory knows a workspace earlier, and the journal's
 * erasures after the directory. So a workspace that is created or erased meanwhile doesn't look restored.
 */
async function readPage(env: Env, before: number): Promise<{ rows: Row[]; next: number | null }> {
  const limit = WORKSPACES_PER_PAGE;
  const claims = await listClaims(env, limit, before);
  const entries = await readRecords(env, await listWorkspaces(env, limit, before, null));
  const listed = databaseNames(env).map((database) => repairs.listSides(env, database, limit, before));
  const sides = (await Promise.all(listed)).flat();
  const known = new Set([...claims, ...entries, ...sides].map(({ number }) => number));
  const numbers = [...known].toSorted((a, b) => b - a).slice(0, limit);
  const read = numbers.map(async (number): Promise<Row> => {
    const claim = claims.find((each) => each.number === number) ?? null;
    const entry = entries.find((each) => each.number === number);
    const own = sides.filter((each) => each.number === number);
    const id = claim?.id ?? entry?.id ?? own[0]?.id ?? "";
    const limiter = await callLimiter(env, id, async (object) => object.facts());
    return {
      ...(await readJournal(env, id)),
      number,
      id,
      claim,
      claimedAt: claim?.at ?? 0,
      entry: entry === undefined ? null : toEntry(entry),
      sides: own,
      hasBackup: own.length === 0 && (await findComplete(env, await listBackups(env, id))) !== null,
      limiter,
    };
  });
  return { rows: await Promise.all(read), next: numbers.length < limit ? null : (numbers.at(-1) ?? null) };
}

const toEntry = ({
  keys,
  newestAgreement,
  move,
  ...entry
}: Awaited<ReturnType<typeof readRecords>>[number]): DirectoryEntry => ({
  ...entry,
  isMarked: entry.erasedAt !== null,
  keyIds: keys.flatMap(({ id, revokedAt }) => (revokedAt === null ? id : [])),
  agreement: newestAgreement,
  // A failed move has nothing left to do once its copy is deleted.
  move:
    move && (move.state !== "failed" || move.cursor !== null) ? { ...move, copiedAt: move.cursor?.at ?? null } : null,
});

/** Repairs a workspace, or else erases people again, or else repairs its archive. */
async function reconcileWorkspace(env: Env, row: Row, decisions: Decisions, now: number): Promise<WorkspaceFinding[]> {
  const named = row.entry?.database ?? row.limiter.database;
  if (!row.isErased && !databaseNames(env).includes(named)) return describeFindings(env, row, null, ["not_bound"]);
  const isGivenUp = row.claim !== null && row.id === decisions.startEmpty;
  const empty = { claim: { id: row.id, hasMoved: false }, hasBackup: false };
  const { home, findings: found } = planRepairs(isGivenUp ? { ...row, ...empty } : row);
  const findings = found.map((each) => (each === "copy_left" && !decisions.eraseCopies ? "copy_kept" : each));
  const describe = (which: readonly Finding[]) => describeFindings(env, row, home, which);
  if (findings.includes("copy_kept"))
    await repairs.closeCopies(
      env,
      row,
      row.sides.filter(({ database }) => database !== home),
    );
  for (const [index, finding] of findings.entries()) {
    if (isRepair(finding) && !(await repair(env, row, home, finding, now)))
      return describe([...findings.slice(0, index), "busy"]);
  }
  if (home === null || findings.some(changesMuch)) return describe(findings);
  const workspace = { id: row.id, number: row.number, database: home };
  if (row.hasPeople && (await erasePeople(env, workspace, now))) return describe([...findings, "people_erased"]);
  return [...(await describe(findings)), ...(await reconcileFiles(env, workspace, now))];
}

/** @returns false when the rest has to wait */
async function repair(env: Env, row: Row, home: string | null, finding: Repair, now: number): Promise<boolean> {
  const { id, number, entry, limiter, sides } = row;
  const workspace = { id, number, database: home ?? entry?.database ?? sides[0]?.database ?? limiter.database };
  const { database } = workspace;
  switch (finding) {
    case "claim_missing":
      return claimNumber(env, workspace);
    case "erased_again":
      await repairs.putEntry(env, { ...workspace, writeLimit: limiter.limit, createdAt: now, erasedAt: now });
      await enqueueRest(env, { task: "erase_workspace", workspace });
      return true;
    case "entry_missing":
      await repairs.putEntry(env, {
        ...workspace,
        writeLimit: limiter.limit,
        createdAt: row.claimedAt,
        erasedAt: null,
      });
      return true;
    case "database_wrong":
      await repairs.updateEntry(env, workspace, { database });
      return configureLimiter(env, id, { database });
    case "copy_left": {
      const left = sides.flatMap((side) => (side.database === home ? [] : { ...workspace, database: side.database }));
      for (const side of left) await markSide(env, side);
      return eraseSides(env, left, now, MAX_ERASE_STEPS);
    }
    case "state_missing":
    case "state_closed":
      await repairs.putState(env, workspace);
      return true;
    case "move_stale":
      await repairs.endMove(env, workspace);
      return true;
    case "move_restarted":
      await repairs.restartCopy(env, workspace);
      return true;
    case "limit_differs":
      await repairs.updateEntry(env, workspace, { writeLimit: limiter.limit });
      return true;
    case "import_differs": {
      // Only the directory knows when an import ends. If it lost one, accounts may have been scored too early.
      const importLimit = (await findWorkspace(env, id))?.importLimit ?? null;
      await configureLimiter(env, id, { importLimit });
      if (importLimit === null) await requestRebuild(env, workspace);
      return true;
    }
    case "limits_unfinished":
      await copyLimits(env, workspace);
      return true;
    case "keys_revoked": {
      const restored = limiter.revokedKeys.filter((keyId) => entry?.keyIds.includes(keyId));
      for (const keyId of restored.slice(0, MAX_KEYS)) await revokeKey(env, workspace, keyId, now);
      return true;
    }
    case "agreement_withdrawn":
      await withdrawAgreement(env, workspace, now, null);
      return true;
    case "agreement_follows":
      await repairs.setAgreement(env, workspace, agreementNumber(entry?.agreement ?? null));
      return true;
    case "people_erased":
    case "files_repaired":
      return true; // repaired where they are found
  }
}
