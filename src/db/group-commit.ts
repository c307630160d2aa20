/**
 * Writes of requests that meet share a transaction. The database does one transaction at a time, and the way there and
 * back takes it several times what a statement in it takes; so while as many are under way as help, those who come
 * wait for each other and go as one. A write that meets no others goes at once, and alone.
 *
 * The writes of a group know nothing of each other: each has its own statement, and its own rows for an answer. When the
 * database is unavailable, it is so for all of the group. Any other error is one statement's own and undoes all of them:
 * then each goes alone. See docs/decisions/0015-group-commit.md.
 */
import { DatabaseUnavailable, withRepeat } from "./faults.ts";

export type Row = Record<string, string | number | null>;

/** A statement that may run twice: for an answer that was lost on its way it is run once more. */
export interface Write {
  sql: string;
  values: readonly (string | number | null)[];
}

/** Keeps a request alive until the work has ended, even when its client goes away. */
export type KeepAlive = (work: Promise<void>) => void;

/** Answers are in the order of the writes. */
type Answers = Promise<D1Result<Row>[]>;

/** While one is on its way there, another is on its way back. */
const MAX_UNDERWAY = 2;
/** A request on the free plan may make fifty queries, and each write of a group is one. */
const MAX_GROUP = 32;
/** What has arrived already comes along. */
const LINGER_MS = 1;
/** For so long a group waits for those before it: they are slow, or were lost together with the requests that sent them. */
const PATIENCE_MS = 1_000;
/** A group is sent by one of its requests. Should the runtime end that one, the others would wait for ever. */
const LOST_AFTER_MS = 30_000;

const queues = new WeakMap<D1Database, CommitQueue>();

/**
 * Runs a write in a transaction of its own or of a group.
 * @param keepAlive of the request that it belongs to, which may come to send a group for others
 * @throws DatabaseUnavailable where the fault is the database's, as `withRepeat` does; any other error as D1 gave it
 */
export function commit(database: D1Database, write: Write, keepAlive: KeepAlive): Promise<D1Result<Row>> {
  const queue = queues.get(database) ?? new CommitQueue(database);
  queues.set(database, queue);
  return queue.commit(write, keepAlive);
}

/** What one isolate has to write to one database. */
class CommitQueue {
  readonly #database: D1Database;
  readonly #underway = new Set<Promise<void>>();
  /** The group that has not left yet. */
  #forming: { writes: Write[]; answers: Answers } | null = null;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async commit(write: Write, keepAlive: KeepAlive): Promise<D1Result<Row>> {
    if (this.#forming === null && this.#underway.size < MAX_UNDERWAY) return kept(this.#alone(write), keepAlive);
    this.#forming ??= this.#form(keepAlive);
    const { writes, answers } = this.#forming;
    const place = writes.push(write) - 1;
    if (writes.length === MAX_GROUP) this.#forming = null;
    try {
      const answer = (await within(LOST_AFTER_MS, answers))?.[place];
      if (answer === undefined) throw new DatabaseUnavailable("a group of writes was lost", false);
      return answer;
    } catch (error) {
      if (error instanceof DatabaseUnavailable || writes.length === 1) throw error;
      return kept(this.#alone(write), keepAlive);
    }
  }

  #form(keepAlive: KeepAlive): { writes: Write[]; answers: Answers } {
    const writes: Write[] = [];
    return { writes, answers: kept(this.#together(writes), keepAlive) };
  }

  async #together(writes: Write[]): Answers {
    const room = Promise.race(this.#underway).then(() => true);
    if ((await within(PATIENCE_MS, room)) === undefined) this.#underway.clear();
    await wait(LINGER_MS);
    if (this.#forming?.writes === writes) this.#forming = null;
    const [first, second] = writes;
    if (first !== undefined && second === undefined) return [await this.#alone(first)];
    const statements = writes.map((write) => this.#prepare(write));
    return this.#send(() => this.#database.batch<Row>(statements));
  }

  /** A statement alone is a transaction too, and a batch of one takes a tenth longer. */
  #alone(write: Write): Promise<D1Result<Row>> {
    return this.#send(() => this.#prepare(write).run<Row>());
  }

  #prepare({ sql, values }: Write): D1PreparedStatement {
    return this.#database.prepare(sql).bind(...values);
  }

  #send<T>(run: () => Promise<T>): Promise<T> {
    const answer = withRepeat(run);
    const ended: Promise<void> = answer.then(ignore, ignore).then(() => void this.#underway.delete(ended));
    this.#underway.add(ended);
    return answer;
  }
}

const ignore = (): void => undefined;

/** Others wait for what a request sends: it stays for that, even where its client goes away. */
function kept<T>(answer: Promise<T>, keepAlive: KeepAlive): Promise<T> {
  keepAlive(answer.then(ignore, ignore));
  return answer;
}

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
