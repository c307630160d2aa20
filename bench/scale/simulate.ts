/**
 * Simulates many workspaces in virtual time. A database runs one transaction at a time, in the order in which they arrive. A round
 * trip takes its time even when the database is idle. Everything else happens at once.
 */
import type { Profile } from "./profile.ts";

export interface Fleet {
  databases: number;
  roundTripMs: number;
  consumers: number;
  workspaces: number;
  /** Workspaces with work. */
  due: number;
  /** The least that a transaction occupies a database: D1 also has to make it durable. */
  transactionMs: number;
}

/** Milliseconds of the queue: to take a hundred tasks, and to deliver one and take back its acknowledgment. */
const QUEUE = { sendMs: 50, deliverMs: 50, tasksPerSend: 100 };
const OBJECT_CALL_MS = 5;
/** Clients that capture one after the other. Enough that no database is idle. */
const CLIENTS = 10_000;
const SATURATED_MS = 20_000;

/** Calls `run` when the virtual time has come. */
class Timeline {
  now = 0;
  readonly #heap: { at: number; run: () => void }[] = [];

  after(ms: number, run: () => void): void {
    const heap = this.#heap;
    const event = { at: this.now + ms, run };
    let place = heap.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.at <= event.at) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = event;
  }

  run(until: () => boolean): void {
    for (let event = this.#pop(); event !== undefined; event = this.#pop()) {
      this.now = event.at;
      event.run();
      if (until()) return;
    }
  }

  #pop(): { at: number; run: () => void } | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
      const smaller = right !== undefined && left !== undefined && right.at < left.at ? 2 * place + 2 : 2 * place + 1;
      const child = heap[smaller];
      if (child === undefined || child.at >= last.at) break;
      heap[place] = child;
      place = smaller;
    }
    heap[place] = last;
    return first;
  }
}

class SimulatedDatabase {
  #freeAt = 0;
  readonly #time: Timeline;
  readonly #fleet: Fleet;

  constructor(time: Timeline, fleet: Fleet) {
    this.#time = time;
    this.#fleet = fleet;
  }

  /** Makes round trips one after the other. */
  visit([first, ...rest]: readonly number[], done: () => void): void {
    if (first === undefined) return done();
    const { roundTripMs, transactionMs } = this.#fleet;
    this.#time.after(roundTripMs / 2, () => {
      this.#freeAt = Math.max(this.#freeAt, this.#time.now) + Math.max(first, transactionMs);
      this.#time.after(this.#freeAt - this.#time.now + roundTripMs / 2, () => this.visit(rest, done));
    });
  }
}

function build(fleet: Fleet) {
  const time = new Timeline();
  const databases = Array.from({ length: fleet.databases }, () => new SimulatedDatabase(time, fleet));
  const databaseOf = (workspace: number) => {
    const database = databases[workspace % databases.length];
    if (database === undefined) throw new RangeError("A fleet needs a database.");
    return database;
  };
  return { time, databases, databaseOf };
}

/**
 * Runs the cron, and its tasks while the due workspaces keep capturing.
 * @param backgroundRate captures per second, of all workspaces together
 * @returns the seconds until the last workspace is scored
 */
export function secondsUntilScored(
  fleet: Fleet,
  { cron, task, capture }: Record<"cron" | "task" | "capture", Profile>,
  backgroundRate: number,
): number {
  const { time, databases, databaseOf } = build(fleet);
  const queue: number[] = [];
  let [idle, scored, captured] = [fleet.consumers, 0, 0];
  const consume = () => {
    for (let workspace = queue.shift(); workspace !== undefined; workspace = queue.shift()) {
      const database = databaseOf(workspace);
      idle -= 1;
      time.after(QUEUE.deliverMs + task.workerMs, () =>
        database.visit(task.trips, () => {
          [idle, scored] = [idle + 1, scored + 1];
          consume();
        }),
      );
      if (idle === 0) return;
    }
  };
  const enqueue = ([...tasks]: number[]) => {
    if (tasks.length === 0) return;
    time.after(QUEUE.sendMs, () => {
      queue.push(...tasks.splice(0, QUEUE.tasksPerSend));
      if (idle > 0) consume();
      enqueue(tasks);
    });
  };
  const due = Array.from({ length: fleet.due }, (_, workspace) => workspace);
  for (const [place, database] of databases.entries()) {
    database.visit(cron.trips, () => enqueue(due.filter((workspace) => workspace % databases.length === place)));
  }
  const send = () => {
    databaseOf(captured++ % fleet.due).visit(capture.trips, () => undefined);
    time.after(1_000 / backgroundRate, send);
  };
  send();
  time.run(() => scored === fleet.due);
  return time.now / 1_000;
}

/** Lets many clients capture as fast as they get answers. @returns captures per second */
export function capturesPerSecond(fleet: Fleet, capture: Profile): number {
  const { time, databaseOf } = build(fleet);
  let stored = 0;
  const send = (client: number, sent: number) => {
    const workspace = (client * 7_919 + sent * 104_729) % fleet.workspaces;
    time.after(OBJECT_CALL_MS, () =>
      databaseOf(workspace).visit(capture.trips, () => {
        stored += 1;
        send(client, sent + 1);
      }),
    );
  };
  for (let client = 0; client < CLIENTS; client += 1) send(client, 0);
  time.run(() => time.now >= SATURATED_MS);
  return stored / (time.now / 1_000);
}
