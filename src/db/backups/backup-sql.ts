/**
 * Reads a workspace for its backup, and remembers when the last one was made. It is SQL text because each read checks the
 * lease in its own transaction.
 */
import { and, eq, gt, isNull, lte, or, sql } from "drizzle-orm";

import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, ownRange, type WorkspaceRef } from "../client/database.ts";
import { expression } from "../client/expression.ts";
import { withRetry } from "../client/faults.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { lastNumber, newestSeq, oldestSeq } from "../client/sql-fragments.ts";
import type { Row } from "../client/statement.ts";
import { checksumQuery, pageQuery } from "../moves/copy-sql.ts";
import { MAY_WRITE } from "../recompute/lease-sql.ts";
import type { Session } from "../recompute/session.ts";
import { accounts, folds, leases, messages, users, workspaceStates } from "../schema/schema.ts";
import { isErased } from "../users/erased-ids.ts";
import { type OwnRange, ownRanges, type Position } from "../workspaces/own-ranges.ts";

/** For tables of numbers, whose pages then have as many bytes as a page may have. */
const MAX_PAGE_ROWS = 50_000;

const account = columnsOf(accounts);
const oldest = columnsOf(messages, "oldest");
const newest = columnsOf(messages, "newest");
const state = columnsOf(workspaceStates, "state");
const user = columnsOf(users);

/**
 * Lists the workspaces of a database with folded messages whose last backup began by a time, or that have none.
 * @returns `since`: when the last backup began or the first message came, in milliseconds since the epoch
 */
export async function listDueBackups(
  env: Env,
  database: string,
  before: number,
): Promise<(WorkspaceRef & { since: number | null })[]> {
  const isDue = or(isNull(leases.backedUpAt), lte(leases.backedUpAt, before));
  const first = sql`(${workspaceStates.number} << 32) + 1`;
  const due = databaseOf(env, { database })
    .select({
      id: workspaceStates.id,
      number: workspaceStates.number,
      since: sql<number | null>`coalesce(${leases.backedUpAt}, ${users.createdAt}, ${accounts.createdAt})`,
    })
    .from(workspaceStates)
    .innerJoin(folds, eq(folds.workspace, workspaceStates.number))
    .leftJoin(leases, eq(leases.workspace, workspaceStates.number))
    // Each message has a user or an account, and the first ones stay for as long as the workspace.
    .leftJoin(users, eq(users.number, first))
    .leftJoin(accounts, eq(accounts.number, first))
    .where(and(eq(workspaceStates.state, "live"), gt(folds.watermark, sql`${workspaceStates.number} << 32`), isDue));
  return (await withRetry(() => due)).map((workspace) => ({ ...workspace, database }));
}

/** Changes the lease's row, unless another run has taken the lease. @returns whether the session still held it */
export async function updateLease(
  { db, workspace, holder }: Session,
  change: Partial<typeof leases.$inferSelect>,
): Promise<boolean> {
  const own = and(eq(leases.workspace, workspace.number), eq(leases.holder, holder));
  return (await withRetry(() => db.update(leases).set(change).where(own))).meta.changes > 0;
}

/**
 * The ranges of a backup: all that a move copies. Users come first: a person whose erasure begins later is then found by
 * the journal, and all other rows of a person whose erasure began earlier are erased already, except messages.
 * @param through the last message
 */
export const backedUpRanges = (workspace: WorkspaceRef, through: number): OwnRange[] =>
  ownRanges(workspace)
    .filter(({ copied }) => copied !== "never")
    .map((range) => (range.name === "messages" ? { ...range, end: [through] } : range))
    .toSorted((a, b) => Number(b.name === "users") - Number(a.name === "users"));

/** The account of a user who is in none. */
const NO_ACCOUNT = { account: null, account_via: null, grouped_at: null, grouped_seq: null };

/**
 * Leaves out what ingest and the API have written meanwhile about accounts and users that the backup doesn't have: after a
 * restore, their numbers go to others. A user who has joined such an account is in no account.
 */
export function withoutLater(
  { name, copied }: OwnRange,
  rows: readonly Row[],
  { lastAccount, lastUser }: { lastAccount: number; lastUser: number },
): readonly Row[] {
  // No message up to the last one names such an account or user, and the recompute and the archive wait.
  if (copied === "log" || copied === "derived") return rows;
  const isLater = (row: Row): boolean => {
    const kind = row["subject_kind"] ?? row["kind"];
    const subject = { account: row["account"], user: row["user"], [String(kind)]: row["subject"] };
    if (name === "accounts") subject.account = row["number"];
    if (name === "users") subject.user = row["number"];
    return Number(subject.account) > lastAccount || Number(subject.user) > lastUser;
  };
  const isDetached = (row: Row) => name === "users" && Number(row["account"]) > lastAccount;
  return rows.map((row) => (isDetached(row) ? { ...row, ...NO_ACCOUNT } : row)).filter((row) => !isLater(row));
}

/** What people and senders change shows in these, in the ends of the log, and in the number of erased users. */
const WATCHED: ReadonlySet<string> = new Set([
  "rejections",
  "identityTraits",
  "inboxMarks",
  "accountOwners",
  "activities",
  "savedViews",
]);

const SELECT_BEGINNING = prepareQuery(
  {
    through: expression<number | null>(newest.seq),
    // After Time Travel, other messages may have the numbers.
    ends: expression<string>(
      `json_array(${[oldest, newest].flatMap(({ seq, ingestId, receivedAt }) => [seq, ingestId, receivedAt]).join(", ")})`,
    ),
    lastAccount: expression<number>(lastNumber(account, ":workspace")),
    lastUser: expression<number>(lastNumber(user, ":workspace")),
    erased: expression<number>(
      `(SELECT count(*) FROM ${user.table} WHERE ${user.workspace} = :workspace AND ${isErased(user.externalId)})`,
    ),
    agreement: state.agreement,
  },
  (columns) => `
SELECT ${columns} FROM ${state.table}
LEFT JOIN ${oldest.table} ON ${oldest.seq} = ${oldestSeq(":workspace")}
LEFT JOIN ${newest.table} ON ${newest.seq} = ${newestSeq(":workspace")}
WHERE ${state.number} = :workspace`,
);

/** Reads what a backup begins with: see archive/backups.ts. */
export async function readBeginning(session: Session) {
  const { workspace } = session;
  const watched = ownRanges(workspace).filter(({ name }) => WATCHED.has(name));
  const [{ results }, ...sums] = await session.batch([
    SELECT_BEGINNING.bind({ workspace: workspace.number }),
    ...watched.map(checksumQuery),
  ]);
  const before = ownRange(workspace).first - 1;
  const { through, agreement = 0, lastAccount = before, lastUser = before } = results[0] ?? {};
  const fingerprint = JSON.stringify([results, sums.map((sum) => sum.results)]);
  return { through: through ?? before, lastAccount, lastUser, agreement, fingerprint };
}

const CHECK = prepare(`SELECT 1 WHERE ${MAY_WRITE}`);

/** Reads the next rows of a range. @returns `null` when the run no longer holds the lease */
export async function readPage(session: Session, range: OwnRange, after: Position): Promise<Row[] | null> {
  const { workspace, holder } = session;
  const [{ results }, { results: held }] = await session.batch([
    pageQuery(range, after, MAX_PAGE_ROWS),
    CHECK.bind({ workspace: workspace.number, holder }),
  ]);
  return held.length === 0 ? null : results;
}
