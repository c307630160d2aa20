/** Reads workspaces from single databases, and repairs what a restore has left inconsistent. Every repair may be repeated. */
import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";

import type { Side } from "../../core/reconcile/plan.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { inOwnRange, newestSeq } from "../client/sql-fragments.ts";
import { runBatch, statement } from "../client/statements.ts";
import { LEASE_MS } from "../moves/sides.ts";
import { leases, messages, moves, rejections, users, workspaces, workspaceStates } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";
import type { Workspace } from "../workspaces/find-workspace.ts";

/** Lists the workspaces in a database, the highest number first. */
export async function listSides(
  env: Env,
  database: string,
  limit: number,
  before: number,
): Promise<(Side & { number: number })[]> {
  const isListed = lt(workspaceStates.number, before);
  const known = databaseOf(env, { database }).select({ state: workspaceStates, lease: leases }).from(workspaceStates);
  const withLeases = known.leftJoin(leases, eq(leases.workspace, workspaceStates.number)).where(isListed);
  const rows = await withRetry(() => withLeases.orderBy(desc(workspaceStates.number)).limit(limit));
  return rows.map(({ state, lease }) => {
    const isMoving = lease?.holder?.startsWith("move_") === true;
    return { ...state, database, leasedAt: isMoving ? lease.expiresAt - LEASE_MS : null };
  });
}

/** Adds a workspace that a database lacks, or opens one that a move had closed. */
export async function putState(env: Env, { id, number, database }: WorkspaceRef): Promise<void> {
  const insertion = databaseOf(env, { database }).insert(workspaceStates).values({ number, id, state: "live" });
  const setWhere = sql`${workspaceStates.id} = ${id} AND ${workspaceStates.state} = 'moving'`;
  const open = { target: workspaceStates.number, set: { state: "live" as const }, setWhere };
  await withRetry(() => insertion.onConflictDoUpdate(open));
}

/** Keeps the cron away from copies in databases that a workspace has left. */
export async function closeCopies(env: Env, { id, number }: { id: string; number: number }, copies: readonly Side[]) {
  const live = and(eq(workspaceStates.number, number), eq(workspaceStates.id, id), eq(workspaceStates.state, "live"));
  for (const copy of copies)
    await withRetry(() => databaseOf(env, copy).update(workspaceStates).set({ state: "moving" }).where(live));
}

/** Lets the database know the agreement that the directory has. The cron erases what isn't allowed by it. */
export async function setAgreement(env: Env, workspace: WorkspaceRef, agreement: number): Promise<void> {
  const own = and(eq(workspaceStates.number, workspace.number), eq(workspaceStates.id, workspace.id));
  await withRetry(() => databaseOf(env, workspace).update(workspaceStates).set({ agreement }).where(own));
  await updateEntry(env, workspace, { agreementChanged: true });
}

/** Puts a workspace back that the directory lacks. One that it has is only marked as being erased, if `erasedAt` is set. */
export async function putEntry(
  env: Env,
  entry: WorkspaceRef & Pick<Workspace, "writeLimit" | "createdAt" | "erasedAt">,
): Promise<void> {
  const insertion = directory(env)
    .insert(workspaces)
    .values({ ...entry, name: entry.id });
  const set = { erasedAt: sql`coalesce(${workspaces.erasedAt}, excluded.erased_at)` };
  const setWhere: SQL = eq(workspaces.id, entry.id);
  await withRetry(() => insertion.onConflictDoUpdate({ target: workspaces.number, set, setWhere }));
}

export async function updateEntry(env: Env, { number, id }: WorkspaceRef, change: Partial<Workspace>): Promise<void> {
  const own = and(eq(workspaces.number, number), eq(workspaces.id, id));
  await withRetry(() => directory(env).update(workspaces).set(change).where(own));
}

/** Ends a move that a restore has brought back. */
export async function endMove(env: Env, { number }: WorkspaceRef): Promise<void> {
  await withRetry(() => directory(env).delete(moves).where(eq(moves.workspace, number)));
}

/** Starts the copy of a move again, and takes the move away from the part that may be running. */
export async function restartCopy(env: Env, { number }: WorkspaceRef): Promise<void> {
  const again = { cursor: null, claim: null, claimedUntil: 0 };
  const isCopying = and(eq(moves.workspace, number), eq(moves.state, "copying"));
  await withRetry(() => directory(env).update(moves).set(again).where(isCopying));
}

const user = columnsOf(users);
const rejection = columnsOf(rejections);
const message = columnsOf(messages);
const SELECT_NEWEST = `SELECT ${message.receivedAt} AS at FROM ${message.table} WHERE ${message.seq} = ${newestSeq("?1")}`;

/** When the newest message in the log was received; `null` without one. */
export async function newestMessageAt(
  env: Env,
  { number, database }: Omit<WorkspaceRef, "id">,
): Promise<number | null> {
  const query = statement<{ at: number }>(SELECT_NEWEST, number);
  return (await runBatch(databaseOf(env, { database }), [query]))[0].results[0]?.at ?? null;
}

export interface KnownPerson {
  externalId: string;
  /** The internal id; `null` for the person of a rejected message. */
  id: string | null;
  /** Since when they are known, in milliseconds since the epoch. */
  since: number;
}

const PERSON = `${user.number} AS number, ${user.externalId} AS externalId, ${user.id} AS id, ${user.createdAt} AS since`;

/** ?2 the users' numbers within the workspace. */
const SELECT_PEOPLE = `
SELECT ${PERSON} FROM ${user.table}
WHERE ${user.number} IN (SELECT (?1 << 32) + value FROM json_each(?2)) AND ${isNotErased(user.externalId)}
UNION ALL SELECT 0, ${rejection.userId}, NULL, min(${rejection.receivedAt}) FROM ${rejection.table}
WHERE ${inOwnRange(rejection.seq, "?1")} AND ${rejection.userId} IS NOT NULL GROUP BY ${rejection.userId}`;

/** Lists the people of rejected messages, and those of the users who are not erased. */
export async function listPeople(env: Env, workspace: WorkspaceRef, numbers: readonly number[]) {
  const query = statement<KnownPerson>(SELECT_PEOPLE, workspace.number, JSON.stringify(numbers));
  return (await runBatch(databaseOf(env, workspace), [query]))[0].results;
}

const USERS_PER_PAGE = 10_000;

const SELECT_USERS = `
SELECT ${PERSON} FROM ${user.table} WHERE ${inOwnRange(user.number, "?1")} AND ${user.number} > ?2
  AND ${user.createdAt} >= ?3 AND ${isNotErased(user.externalId)} ORDER BY ${user.number} LIMIT ${USERS_PER_PAGE}`;

/** Lists the users who are not erased and were created since a time, page by page. */
export async function* listUsers(env: Env, workspace: WorkspaceRef, since: number): AsyncGenerator<KnownPerson[]> {
  for (let after = 0, isLast = false; !isLast;) {
    const query = statement<KnownPerson & { number: number }>(SELECT_USERS, workspace.number, after, since);
    const [{ results }] = await runBatch(databaseOf(env, workspace), [query]);
    yield results;
    isLast = results.length < USERS_PER_PAGE;
    after = results.at(-1)?.number ?? after;
  }
}
