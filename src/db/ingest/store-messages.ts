/**
 * Stores one request's messages and rejections in one transaction and one round trip, whether it carries one message or
 * 1,000. A single message may share the transaction with those of other requests.
 */
import { maxDatabaseBytes } from "../../config.ts";
import { INGEST_SHARE } from "../../core/database-size.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { IngestBatch, Message } from "../../core/ingest/message.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { DatabaseUnavailable, withRetry } from "../client/faults.ts";
import { prepare, type Prepared } from "../client/prepare.ts";
import { runBatch, sendBatch } from "../client/run-statements.ts";
import type { Row, Statement } from "../client/statement.ts";
import { commit, type KeepAlive } from "./group-commit.ts";
import { ingestRows, type IngestRows, rejectionCountRows, rejectionRows } from "./message-rows.ts";
import { INGEST } from "./ingest-sql.ts";
import { entitiesOf, type EntityRef, type EntityRow, SELECT_ANSWER } from "./entity-ref.ts";
import { appendForKnownUser, type KnownUser, knownUserCache, loneTrack } from "./known-users.ts";
import { COUNT_REJECTIONS, INSERT_REJECTIONS, TRIM_REJECTIONS } from "./rejections-sql.ts";
import { requireLive } from "../workspaces/require-live.ts";

export interface Stored {
  outcome: "stored";
  stored: number;
  duplicates: number;
  /** The account and user of the last message, as of when it was first stored. */
  account: EntityRef | null;
  user: EntityRef | null;
}

type IngestRow = Partial<EntityRow & { stored: number }>;

/**
 * Stores a batch.
 * @param keyId the key of the request, for its rejected messages
 * @param keepAlive of the request; by default the caller waits for the result
 * @throws DatabaseUnavailable when D1 did not answer; unless `notApplied` is set, the messages may be stored
 */
export async function storeBatch(
  env: Env,
  workspace: WorkspaceRef,
  keyId: string,
  batch: IngestBatch,
  keepAlive: KeepAlive = () => undefined,
): Promise<Stored> {
  const last = batch.messages.at(-1);
  if (last === undefined && batch.rejections.length === 0) {
    return { outcome: "stored", stored: 0, duplicates: 0, account: null, user: null };
  }

  const { source, receivedAt } = batch;
  await requireRoom(env, workspace.database, receivedAt);
  const note = (result: D1Result) => noteSize(env, workspace.database, result, receivedAt);
  const db = databaseOf(env, workspace);
  const request = { workspace: workspace.number, id: workspace.id, source, ingestId: newIngestId(), receivedAt };
  const track = loneTrack(batch);
  const known = track === null ? undefined : knownUserCache.get(workspace, track);
  if (track !== null && known !== undefined) {
    const appended = await commit(db, appendForKnownUser(request, track, known), keepAlive);
    note(appended);
    const outcome = knownOutcome(appended, known);
    if (outcome !== null) return outcome;
    knownUserCache.delete(workspace, track);
  }
  const distinct = firstOfEachId(batch.messages);
  const kept = rejectionRows(batch.rejections);
  const parts = distinct.length > 0 ? ingestRows(distinct) : [];

  return withRetry(async (attempt) => {
    const statements: Statement<IngestRow>[] = [requireLive(workspace)];
    const add = (statement: Statement<IngestRow>) => statements.push(statement) - 1;

    if (batch.rejections.length > 0) {
      const firstMessageId = distinct[0]?.messageId ?? "";
      const run = { ...request, keyId, day: Math.floor(receivedAt / DAY_MS), firstMessageId };
      for (const rows of kept) add(INSERT_REJECTIONS.bind({ ...run, rows }));
      add(COUNT_REJECTIONS.bind({ ...run, rows: rejectionCountRows(batch.rejections) }));
      add(TRIM_REJECTIONS.bind(run));
    }
    const counts = parts.map((rows) =>
      addIngest(rows, (query, text) => add(query.bind({ ...request, rows: text })), attempt > 1),
    );
    if (last !== undefined) add(SELECT_ANSWER.bind({ ...request, messageId: last.messageId }));

    const results = await sendBatch(db, statements);
    const end = results.at(-1);
    if (end !== undefined) note(end);
    const answer = end?.results[0] ?? {};
    const stored = counts.reduce((sum, index) => sum + countIn(results[index]), 0);
    const { account, user } = entitiesOf(answer);
    if (track !== null && stored > 0 && account !== null && user !== null) {
      const [accountNumber, userNumber] = [Number(answer.account), Number(answer.user)];
      knownUserCache.set(workspace, track, { account, user, accountNumber, userNumber });
    }
    return { outcome: "stored", stored, duplicates: batch.messages.length - stored, account, user };
  });
}

/**
 * Reads the result of the short path.
 * @returns `null` when the cached user is stale and nothing was stored, or when the track duplicates another user's
 *   message
 */
function knownOutcome(appended: D1Result<Row>, known: KnownUser): Stored | null {
  const { account, user } = appended.results[0] ?? {};
  if (account !== known.accountNumber || user !== known.userNumber) return null;
  const stored = countIn(appended);
  return { outcome: "stored", stored, duplicates: 1 - stored, account: known.account, user: known.user };
}

/**
 * Adds the statements for one part in the order that the rules need. Statements with nothing to do are left out.
 * @returns the index of the statement that counts the stored messages
 */
function addIngest(
  rows: IngestRows,
  add: (query: Prepared<IngestRow>, rows: string) => number,
  repeated: boolean,
): number {
  const addFor = (text: string, ...queries: Prepared[]) => text !== "" && queries.forEach((query) => add(query, text));

  addFor(rows.accounts, INGEST.insertAccounts);
  addFor(rows.users, INGEST.insertUsers);
  if (rows.mayNeedPersonalAccounts) addFor(rows.byUser, INGEST.insertPersonalAccounts);
  const append = add(rows.ordered ? INGEST.appendInOrder : INGEST.append, rows.full);
  const count = repeated ? add(INGEST.countStored, rows.full) : append;
  addFor(rows.traits, INGEST.upsertTraits);
  addFor(rows.attributed, INGEST.mergeAttributes);
  addFor(rows.mayBePending, INGEST.keepPending);
  addFor(rows.byUser, INGEST.applyPending);
  addFor(rows.groups, INGEST.moveGroupedUsers, INGEST.upsertMemberships);
  addFor(rows.byUser, INGEST.assignAccounts);
  return count;
}

/** Drops later messages with the same id, which are duplicates of the request's own. */
function firstOfEachId(messages: readonly Message[]): Message[] {
  const seen = new Set<string>();
  return messages.filter(({ messageId }) => !seen.has(messageId) && seen.add(messageId));
}

function countIn(result: D1Result<{ stored?: unknown }> | undefined): number {
  return Number(result?.results[0]?.stored ?? result?.meta.changes ?? 0);
}

/** Distinguishes the requests of a workspace: 48 random bits. */
function newIngestId(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high & 0xffff) * 2 ** 32 + low;
}

const MEASURE_AGAIN_MS = 10_000;
const MEASURE = prepare("SELECT 1");

/**
 * When each full database was last measured, in milliseconds since the epoch. Ingest stops a little before D1 refuses to
 * grow: the rest is for the recompute and the archive, which make room. The results of this isolate's own writes have the
 * size, so only a full database costs a round trip.
 */
const measuredAt = new Map<string, number>();

/** Remembers whether a database is full. @param now milliseconds since the epoch */
function noteSize(env: Env, database: string, { meta }: D1Result, now: number): void {
  if (meta.size_after < INGEST_SHARE * maxDatabaseBytes(env)) measuredAt.delete(database);
  else measuredAt.set(database, now);
}

/** @throws DatabaseUnavailable when the database is full */
async function requireRoom(env: Env, database: string, now: number): Promise<void> {
  const at = measuredAt.get(database);
  if (at === undefined) return;
  if (Math.abs(now - at) >= MEASURE_AGAIN_MS) {
    const [result] = await runBatch(databaseOf(env, { database }), [MEASURE.bind({})]);
    noteSize(env, database, result, now);
  }
  if (measuredAt.has(database))
    throw new DatabaseUnavailable("the database is full; only the reserve is left", true, "full");
}
