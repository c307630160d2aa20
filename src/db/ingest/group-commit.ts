/**
 * Group commit: while one batch is on its way to the database, the writes of other requests wait and form the next one.
 * A database runs one transaction at a time, and a transaction costs several times as much as one of its statements. A
 * write that finds no batch in flight is sent at once, alone.
 *
 * The writes of a batch are independent: each has its own statement and its own result. If the database is
 * unavailable, all of them fail. Any other error belongs to one statement and undoes the whole batch, so each write is
 * then run alone. See docs/decisions/0015-group-commit.md.
 */
import { timed } from "../../call-times.ts";
import type { Database } from "../client/database.ts";
import { DatabaseUnavailable, withRetry } from "../client/faults.ts";
import { runBatch, sendStatement } from "../client/run-statements.ts";
import type { Row, Statement } from "../client/statement.ts";
import { within } from "../client/within.ts";

/** Keeps a request alive until the work has ended, even when its client disconnects: `waitUntil`. */
export type KeepAlive = (work: Promise<void>) => void;

/** It may run twice: when its result is lost on the way, it runs again. */
type Write = Statement<Row>;
type Outcome = PromiseSettledResult<D1Result<Row>>;

interface WaitingWrite {
  readonly write: Write;
  /** The outcome of the batch that carries the write; `null` until it is sent. */
  outcome: Promise<Outcome | undefined> | null;
}

/**
 * A batch may need three queries per write: itself, a retry, and each write alone. So it stays below 50 queries a
 * request, D1's limit on Workers Free. Workers Paid, which deployments use, allows more.
 */
const MAX_BATCH = 16;
/** How long a write waits for the batch in flight. That batch may be slow, or lost with the request that sent it. */
const MAX_WAIT_MS = 1_000;
/** After this time a batch counts as lost, because the runtime ends requests without a signal. */
const LOST_AFTER_MS = 30_000;

const queues = new WeakMap<Database, CommitQueue>();

/**
 * Runs a write in its own transaction, or in one shared with the writes of other requests.
 * @param keepAlive of the write's request, because it may send the batch for others
 * @throws DatabaseUnavailable when the database fails; any other error as D1 threw it
 */
export function commit(db: Database, write: Write, keepAlive: KeepAlive): Promise<D1Result<Row>> {
  const queue = queues.get(db) ?? new CommitQueue(db);
  queues.set(db, queue);
  const result = timed("databaseMs", () => queue.commit(write, keepAlive));
  keepAlive(result.then(ignore, ignore));
  return result;
}

class CommitQueue {
  readonly #db: Database;
  #waiting: WaitingWrite[] = [];
  /** Resolves to true when the last batch has ended. */
  #inFlight: Promise<true> | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  async commit(write: Write, keepAlive: KeepAlive): Promise<D1Result<Row>> {
    const own: WaitingWrite = { write, outcome: null };
    this.#waiting.push(own);
    // Every waiting request may send the next batch, so no request depends on another one staying alive.
    while (own.outcome === null) {
      const ended = this.#inFlight === null || (await within(MAX_WAIT_MS, this.#inFlight));
      const isFree = this.#inFlight === null || ended !== true;
      if (own.outcome === null && isFree) this.#flush(keepAlive);
    }
    const outcome = await within(LOST_AFTER_MS, own.outcome);
    if (outcome === undefined) throw new DatabaseUnavailable("a batch of writes was lost", false);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  /** Sends the next batch. It may outlast the sender's own write, so it keeps the sender alive too. */
  #flush(keepAlive: KeepAlive): void {
    const batch = this.#waiting.splice(0, MAX_BATCH);
    const outcomes = this.#send(batch.map(({ write }) => write));
    keepAlive(outcomes.then(ignore, ignore));
    for (const [index, waiting] of batch.entries()) waiting.outcome = outcomes.then((all) => all[index]);
    const inFlight = outcomes.then((): true => {
      if (this.#inFlight === inFlight) this.#inFlight = null;
      return true;
    });
    this.#inFlight = inFlight;
  }

  async #send(writes: readonly Write[]): Promise<Outcome[]> {
    const [first, second] = writes;
    if (first !== undefined && second === undefined) return Promise.allSettled([this.#run(first)]);
    try {
      const results = await runBatch(this.#db, writes);
      return results.map((value) => ({ status: "fulfilled", value }));
    } catch (reason) {
      const isUnavailable = reason instanceof DatabaseUnavailable;
      return isUnavailable ? writes.map(() => ({ status: "rejected", reason })) : this.#runEach(writes);
    }
  }

  /** Runs each write alone, one after the other, until the database is unavailable. */
  async #runEach(writes: readonly Write[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const write of writes) {
      const [outcome] = await Promise.allSettled([this.#run(write)]);
      if (outcome.status === "rejected" && outcome.reason instanceof DatabaseUnavailable) {
        // The batch may have been applied although its answer was an error.
        const reason = new DatabaseUnavailable(outcome.reason.cause, false, outcome.reason.kind);
        return writes.map((_, index) => outcomes[index] ?? { status: "rejected", reason });
      }
      outcomes.push(outcome);
    }
    return outcomes;
  }

  #run(write: Write): Promise<D1Result<Row>> {
    return withRetry(() => sendStatement(this.#db, write));
  }
}

const ignore = (): void => undefined;
