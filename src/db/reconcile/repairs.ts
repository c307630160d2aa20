/** Reads workspaces from single databases, and repairs what a restore has left inconsistent. Each may be repeated. */
import { and, desc, eq, gt, gte, inArray, lt, lte, type SQL, sql } from "drizzle-orm";

import type { Side } from "../../core/reconcile/plan-repairs.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, directory, ownRange, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { type Prepared, prepareQuery } from "../client/prepare.ts";
import { inOwnRange, newestSeq } from "../client/sql-fragments.ts";
import { runBatch } from "../client/run-statements.ts";
import { LEASE_MS } from "../moves/open-and-close.ts";
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

/**
 * Keeps the cron away from copies in databases that a workspace has left.
 * @param isReplaced whether cached keys must not read them either
 */
export async function closeCopies(
  env: Env,
  { id, number }: { id: string; number: number },
  copies: readonly Pick<Side, "database">[],
  isReplaced = false,
) {
  const [before, state] = isReplaced
    ? [["live", "moving"] as const, "arriving" as const]
    : [["live"] as const, "moving" as const];
  const live = and(
    eq(workspaceStates.number, number),
    eq(workspaceStates.id, id),
    inArray(workspaceStates.state, before),
  );
  for (const copy of copies)
    await withRetry(() => databaseOf(env, copy).update(workspaceStates).set({ state }).where(live));
}

/** Copies the directory's agreement to the database. The cron erases what the agreement doesn't allow. */
export async function setAgreement(env: Env, workspace: WorkspaceRef, agreement: number): Promise<void> {
  const own = and(eq(workspaceStates.number, workspace.number), eq(workspaceStates.id, workspace.id));
  await withRetry(() => databaseOf(env, workspace).update(workspaceStates).set({ agreement }).where(own));
  await updateEntry(env, workspace, { agreementChanged: true });
}

/** Puts a workspace back that the directory lacks. If it has it, `erasedAt` only marks it as being erased. */
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

const message = columnsOf(messages);
const rejection = columnsOf(rejections);
const user = columnsOf(users);

const SELECT_NEWEST = prepareQuery(
  { at: message.receivedAt },
  (columns) => `SELECT ${columns} FROM ${message.table} WHERE ${message.seq} = ${newestSeq(":workspace")}`,
);

/** When the newest message in the log was received; `null` without one. */
export async function newestMessageAt(
  env: Env,
  { number, database }: Omit<WorkspaceRef, "id">,
): Promise<number | null> {
  const query = SELECT_NEWEST.bind({ workspace: number });
  return (await runBatch(databaseOf(env, { database }), [query]))[0].results[0]?.at ?? null;
}

export interface KnownPerson {
  externalId: string;
  /** The internal id; `null` for the person of a rejected message. */
  id: string | null;
  /** The time since which they are known, in milliseconds since the epoch. */
  since: number;
}

/** SQL text, because the numbers are a list, and a UNION adds the people of rejected messages. */
const SELECT_PEOPLE: Prepared<KnownPerson> = prepareQuery(
  { externalId: user.externalId, id: user.id, since: user.createdAt },
  (columns) => `
SELECT ${columns} FROM ${user.table}
WHERE ${user.number} IN (SELECT (:workspace << 32) + value FROM json_each(:users)) AND ${isNotErased(user.externalId)}
UNION ALL SELECT ${rejection.userId}, NULL, min(${rejection.receivedAt}) FROM ${rejection.table}
WHERE ${inOwnRange(rejection.seq, ":workspace")} AND ${rejection.userId} IS NOT NULL GROUP BY ${rejection.userId}`,
);

/** Lists the people of rejected messages, and those of the users who are not erased. */
export async function listPeople(env: Env, workspace: WorkspaceRef, numbers: readonly number[]) {
  const query = SELECT_PEOPLE.bind({ workspace: workspace.number, users: JSON.stringify(numbers) });
  return (await runBatch(databaseOf(env, workspace), [query]))[0].results;
}

const USERS_PER_PAGE = 10_000;

const person = { number: users.number, externalId: users.externalId, id: users.id, since: users.createdAt };
const IS_NOT_ERASED = sql.raw(isNotErased("users.external_id"));

/** Lists the users who are not erased and were created since a time, page by page. */
export async function* listUsers(env: Env, workspace: WorkspaceRef, since: number): AsyncGenerator<KnownPerson[]> {
  const db = databaseOf(env, workspace);
  const { first, last } = ownRange(workspace);
  for (let after = first - 1, isLast = false; !isLast;) {
    const isNext = and(gt(users.number, after), lte(users.number, last), gte(users.createdAt, since), IS_NOT_ERASED);
    const query = db.select(person).from(users).where(isNext).orderBy(users.number).limit(USERS_PER_PAGE);
    const page = await withRetry(() => query);
    yield page;
    isLast = page.length < USERS_PER_PAGE;
    after = page.at(-1)?.number ?? after;
  }
}
