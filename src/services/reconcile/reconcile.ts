/**
 * Repairs what a restore of databases has left inconsistent. It compares the directory, every database, the limiters and the
 * journal, a page of workspaces at a time, and then the archive. Every step may be repeated, and a healthy deployment has
 * nothing to repair. See docs/decisions/0035-restores.md.
 */
import { claimNumber, type ErasedPerson, listClaims, personHash, readJournal } from "../../archive/journal.ts";
import { type FindingKind, isRepair, type RepairKind } from "../../core/reconcile/findings.ts";
import { agreementNumber, type Entry, type Known, type Limiter, plan, type Plan } from "../../core/reconcile/plan.ts";
import { databaseNames, type WorkspaceRef } from "../../db/client/database.ts";
import { endMove, putEntry, restartCopy, updateEntry } from "../../db/reconcile/directory.ts";
import { listPeople, listSides, putState, setAgreement } from "../../db/reconcile/sides.ts";
import { MAX_WORKSPACE_NUMBER } from "../../db/schema/workspaces.ts";
import { eraseUser } from "../../db/users/erase-user.ts";
import { revokeKey } from "../../db/workspaces/api-keys.ts";
import { eraseSide } from "../../db/workspaces/erase-workspace.ts";
import { addRecords, listWorkspaces } from "../../db/workspaces/list-workspaces.ts";
import { callLimiter, configureLimiter } from "../../limiter/call-limiter.ts";
import { reconcileFiles } from "../archive/reconcile-files.ts";
import { withdrawAgreement } from "../identity.ts";
import { enqueueRest } from "../tasks/enqueue.ts";

/** Each asks the limiter and R2. */
const WORKSPACES_PER_PAGE = 20;
/** A repair and the reads of its page stay below the 1,000 statements of an invocation. */
const MAX_STEPS = 300;
const MAX_PEOPLE = 10;
const STEPS_PER_PERSON = 2;

export interface Finding {
  workspace: string;
  number: number;
  kind: FindingKind;
}

/** What all places know of a page of numbers. */
type Row = Known & { number: number; id: string; claimedAt: number; people: ErasedPerson[] };

/**
 * Reconciles a page of workspaces, the newest first.
 * @param before the `next` of the page before; `null` for the first page
 * @returns `next` is `null` on the last page. A page ends with the first repair, and the next one compares that workspace again
 * @throws ArchiveUnavailable; DatabaseUnavailable; LimiterUnavailable
 */
export async function reconcile(
  env: Env,
  now: number,
  before: number | null,
): Promise<{ findings: Finding[]; next: number | null }> {
  const { rows, next } = await readPage(env, before ?? MAX_WORKSPACE_NUMBER + 1);
  const findings: Finding[] = [];
  for (const row of rows) {
    const { number, id: workspace } = row;
    const kinds = await reconcileWorkspace(env, row, now);
    findings.push(...kinds.map((kind) => ({ workspace, number, kind })));
    if (kinds.some((kind) => isRepair(kind) && kind !== "claim_missing")) return { findings, next: number + 1 };
  }
  return { findings, next };
}

/**
 * Reads a page. The journal's numbers come before the directory, which knows a workspace earlier, and its erasures after
 * it: so a workspace that is created or erased meanwhile doesn't look restored.
 */
async function readPage(env: Env, before: number): Promise<{ rows: Row[]; next: number | null }> {
  const limit = WORKSPACES_PER_PAGE;
  const claims = await listClaims(env, limit, before);
  const entries = await listWorkspaces(env, limit, before, undefined).then((listed) => addRecords(env, listed));
  const sides = (
    await Promise.all(databaseNames(env).map((database) => listSides(env, database, limit, before)))
  ).flat();
  const known = [...claims, ...entries, ...sides].map(({ number }) => number);
  const numbers = [...new Set(known)].toSorted((a, b) => b - a).slice(0, limit);
  const claimOf = new Map(claims.map((claim) => [claim.number, claim]));
  const entryOf = new Map(entries.map((entry) => [entry.number, entry]));
  const rows = await Promise.all(
    numbers.map(async (number): Promise<Row> => {
      const claim = claimOf.get(number) ?? null;
      const entry = entryOf.get(number);
      const own = sides.filter((side) => side.number === number);
      const id = claim?.id ?? entry?.id ?? own[0]?.id ?? "";
      const journal = await readJournal(env, id);
      const limiter = journal.isErased ? NO_LIMITER : await readLimiter(env, id);
      return {
        ...journal,
        number,
        id,
        claim,
        claimedAt: claim?.at ?? 0,
        entry: entry ? toEntry(entry) : null,
        sides: own,
        limiter,
      };
    }),
  );
  return { rows, next: numbers.length < limit ? null : (numbers.at(-1) ?? null) };
}

/** Not known of an erased workspace, whose limiter must stay empty. */
const NO_LIMITER: Limiter = { limit: 0, database: "", hasStorageLimit: false, revokedKeys: [] };

async function readLimiter(env: Env, id: string): Promise<Limiter> {
  const { room, ...facts } = await callLimiter(env, id, async (limiter) => limiter.facts());
  return { ...facts, hasStorageLimit: room !== null };
}

type Listed = Awaited<ReturnType<typeof addRecords>>[number];

const toEntry = ({ keys, newestAgreement: agreement, move, ...entry }: Listed): Entry => ({
  ...entry,
  agreement,
  hasStorageLimit: entry.storageLimitBytes !== null,
  isMarked: entry.erasedAt !== null,
  keyIds: keys.flatMap(({ id, revokedAt }) => (revokedAt === null ? [id] : [])),
  move: move && { ...move, copiedAt: move.cursor?.at ?? null },
});

/** Repairs a workspace, or else its archive. @returns what was found */
async function reconcileWorkspace(env: Env, row: Row, now: number): Promise<FindingKind[]> {
  const decided = plan(row);
  const { home, findings } = decided;
  for (const kind of findings) {
    if (isRepair(kind) && !(await repair(env, row, decided, kind, now))) return [...findings, "busy"];
  }
  if (home === null || row.entry === null || findings.some(isRepair)) return findings;
  const workspace = { id: row.id, number: row.number, database: home };
  if (await erasePeople(env, workspace, row.people)) return [...findings, "people_erased"];
  return [...findings, ...(await reconcileFiles(env, workspace, row.people, now))];
}

/** @returns false when the rest has to wait */
async function repair(env: Env, row: Row, { home, copies }: Plan, kind: RepairKind, now: number): Promise<boolean> {
  const { id, number, entry, limiter, sides } = row;
  const database = home ?? entry?.database ?? sides[0]?.database ?? limiter.database;
  const workspace: WorkspaceRef = { id, number, database };
  switch (kind) {
    case "claim_missing":
      return claimNumber(env, workspace);
    case "erased_again":
      await putEntry(env, { ...workspace, writeLimit: 1, createdAt: now, erasedAt: now });
      await enqueueRest(env, { task: "erase_workspace", workspace, now });
      return true;
    case "entry_missing":
      await putEntry(env, { ...workspace, writeLimit: limiter.limit, createdAt: row.claimedAt, erasedAt: null });
      return true;
    case "database_wrong":
      await updateEntry(env, workspace, { database });
      return configureLimiter(env, id, { database });
    case "state_missing":
    case "state_closed":
      await putState(env, workspace);
      return true;
    case "move_stale":
      await endMove(env, workspace);
      return true;
    case "move_restarted":
      await restartCopy(env, workspace);
      return true;
    case "copy_left": {
      let steps = 0;
      const isOver = () => ++steps > MAX_STEPS;
      for (const left of copies)
        if (!(await eraseSide(env, { ...workspace, database: left }, now, isOver))) return false;
      return true;
    }
    case "limit_differs":
      await updateEntry(env, workspace, { writeLimit: limiter.limit });
      return true;
    case "keys_revoked":
      for (const keyId of limiter.revokedKeys.filter((each) => entry?.keyIds.includes(each)).slice(0, MAX_STEPS))
        await revokeKey(env, workspace, keyId, now);
      return true;
    case "agreement_withdrawn":
      await withdrawAgreement(env, workspace, now);
      return true;
    case "agreement_follows":
      await setAgreement(env, workspace, agreementNumber(entry?.agreement ?? null));
      await updateEntry(env, workspace, { agreementChanged: true });
      return true;
    case "people_erased":
    case "files_repaired":
      return true; // only found after this
  }
}

/** Erases people again whom the journal knows as erased. @returns whether there were any */
async function erasePeople(env: Env, workspace: WorkspaceRef, people: readonly ErasedPerson[]): Promise<boolean> {
  if (people.length === 0) return false;
  const numbers = people.map(({ user }) => user);
  const found: string[] = [];
  for (const { externalId, since } of await listPeople(env, workspace, numbers)) {
    const hash = await personHash(workspace.id, externalId);
    // Somebody who came back after the erasure is another user.
    if (people.some((person) => person.hash === hash && since < person.at)) found.push(externalId);
  }
  for (const externalId of found.slice(0, MAX_PEOPLE)) await eraseUser(env, workspace, externalId, STEPS_PER_PERSON);
  if (found.length > 0) await enqueueRest(env, { task: "erase_users", workspace, now: Date.now() });
  return found.length > 0;
}
