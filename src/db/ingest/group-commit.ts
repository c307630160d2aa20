/**
 * Writes of requests that meet share a transaction. The database does one transaction at a time, and the way there and
 * back takes it several times what a statement in it does; so while as many are under way as help, those who come
 * wait for each other and go as one. A write that meets no others goes at once, and alone.
 *
 * The writes of a group know nothing of each other: each has its own statement, and its own rows for an answer. When the
 * database is unavailable, it is so for all of the group. Any other error is one statement's own and undoes all of them:
 * then each goes alone, in turn. See docs/decisions/0015-group-commit.md.
 */
import { DatabaseUnavailable, withRetry } from "../client/faults.ts";

export type Row = Record<string, string | number | null>;

/** A statement that may run twice: for an answer that was lost on its way it is run once more. */
export interface Write {
  sql: string;
  values: readonly (string | number | null)[];
}

/** Keeps a request alive until the work has ended, even when its client goes away. */
export type KeepAlive = (work: Promise<void>) => void;

type Outcome = { answer: D1Result<Row> } | { fault: unknown };

/** Writes that go together, sent by the request that came first. */
interface Group {
  readonly formedAt: number;
  readonly writes: Write[];
  /** In the order of the writes. */
  readonly outcomes: Promise<Outcome[]>;
}

/** What goes one after the other. */
interface Lane {
  /** Those under way, and those that wait for them. */
  entered: number;
  enteredAt: number;
  /** When the last of them has ended: of another request, and never to come should the runtime end that one. */
  end: Promise<void>;
}

/** While one is on its way there, another is on its way back. */
const LANES = 2;
/** A request on the free plan may make fifty queries: a group's, once more when its answer was lost, and each alone. */
const MAX_GROUP = 16;
/** What has arrived already comes along. */
const LINGER_MS = 1;
/** For so long a group waits for those under way, which may be slow, or lost with the requests that sent them. */
const PATIENCE_MS = 1_000;
/** What has not left or come back by then was lost with its request: should the runtime end one, nobody is told. */
const NOT_LEFT_AFTER_MS = 2 * PATIENCE_MS;
const LOST_AFTER_MS = 30_000;

const queues = new WeakMap<D1Database, CommitQueue>();

/**
 * Runs a write in a transaction of its own or of a group.
 * @param keepAlive of the request that it belongs to: it may come to send a group for others, and must hear of its own
 * @throws DatabaseUnavailable where the fault is the database's, as `withRetry` does; any other error as D1 gave it
 */
export function commit(database: D1Database, write: Write, keepAlive: KeepAlive): Promise<D1Result<Row>> {
  const queue = queues.get(database) ?? new CommitQueue(database);
  queues.set(database, queue);
  const answer = queue.commit(write);
  keepAlive(answer.then(ignore, ignore));
  return answer;
}

/** What one isolate has to write to one database. */
class CommitQueue {
  readonly #database: D1Database;
  readonly #lanes = Array.from({ length: LANES }, newLane);
  /** The group that others may join. */
  #forming: Group | null = null;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async commit(write: Write): Promise<D1Result<Row>> {
    const now = Date.now();
    this.#forgetLost(now);
    const free = this.#forming === null ? this.#lanes.find(({ entered }) => entered === 0) : undefined;
    if (free !== undefined) return enter(free, now, () => this.#alone(write));
    this.#forming ??= this.#form(now);
    const { writes, outcomes } = this.#forming;
    const place = writes.push(write) - 1;
    if (writes.length === MAX_GROUP) this.#forming = null;
    const outcome = (await within(LOST_AFTER_MS, outcomes))?.[place];
    if (outcome === undefined) throw new DatabaseUnavailable("a group of writes was lost", false);
    if ("fault" in outcome) throw outcome.fault;
    return outcome.answer;
  }

  #form(now: number): Group {
    const lane = this.#lanes.reduce((least, one) => (one.entered < least.entered ? one : least));
    const before = lane.end;
    const writes: Write[] = [];
    return { formedAt: now, writes, outcomes: enter(lane, now, () => this.#lead(writes, before)) };
  }

  async #lead(writes: Write[], before: Promise<void>): Promise<Outcome[]> {
    await within(PATIENCE_MS, before);
    await wait(LINGER_MS);
    if (this.#forming?.writes === writes) this.#forming = null;
    return this.#together(writes);
  }

  async #together(writes: readonly Write[]): Promise<Outcome[]> {
    const [first, second] = writes;
    if (first !== undefined && second === undefined) return [await outcomeOf(this.#alone(first))];
    try {
      const statements = writes.map((write) => this.#prepare(write));
      const answers = await withRetry(() => this.#database.batch<Row>(statements));
      return answers.map((answer) => ({ answer }));
    } catch (fault) {
      return fault instanceof DatabaseUnavailable ? writes.map(() => ({ fault })) : this.#eachAlone(writes);
    }
  }

  /** The error may stand for an answer that was made and not understood: that nothing was done is never certain. */
  async #eachAlone(writes: readonly Write[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    let unavailable: Outcome | null = null;
    for (const write of writes) {
      const outcome: Outcome = unavailable ?? (await outcomeOf(this.#alone(write)));
      if ("fault" in outcome && outcome.fault instanceof DatabaseUnavailable) {
        unavailable = { fault: new DatabaseUnavailable(outcome.fault.cause, false, outcome.fault.timedOut) };
      }
      outcomes.push(unavailable ?? outcome);
    }
    return outcomes;
  }

  /** A statement alone is a transaction too, and a batch of one takes a tenth longer. */
  #alone(write: Write): Promise<D1Result<Row>> {
    return withRetry(() => this.#prepare(write).run<Row>());
  }

  #prepare({ sql, values }: Write): D1PreparedStatement {
    return this.#database.prepare(sql).bind(...values);
  }

  #forgetLost(now: number): void {
    if (now - (this.#forming?.formedAt ?? now) >= NOT_LEFT_AFTER_MS) this.#forming = null;
    for (const [place, { entered, enteredAt }] of this.#lanes.entries()) {
      if (entered > 0 && now - enteredAt >= LOST_AFTER_MS) this.#lanes[place] = newLane();
    }
  }
}

const newLane = (): Lane => ({ entered: 0, enteredAt: 0, end: Promise.resolve() });

function enter<T>(lane: Lane, now: number, run: () => Promise<T>): Promise<T> {
  const ended = run();
  lane.entered += 1;
  lane.enteredAt = now;
  const leave = (): void => {
    lane.entered -= 1;
  };
  lane.end = ended.then(leave, leave);
  return ended;
}

const outcomeOf = (answer: Promise<D1Result<Row>>): Promise<Outcome> =>
  answer.then(
    (answered) => ({ answer: answered }),
    (fault: unknown) => ({ fault }),
  );

const ignore = (): void => undefined;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @returns `undefined` when it takes longer. The timer also keeps the runtime from taking a request for hung that waits
 *   for another one.
 */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
