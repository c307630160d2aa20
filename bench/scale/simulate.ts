/**
 * Simulates many workspaces in virtual time. A database runs one transaction at a time, in the order in which they arrive. A round
 * trip takes its time even when the database is idle. Everything else happens at once.
 */
import { quantile } from "d3-array";

import { randomOf } from "../../evals/simulator/random.ts";
import { SPREAD_SECONDS, TASKS_A_SECOND } from "../../src/config.ts";
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

/** The part of its time for which senders occupy each database. */
const LOAD = 0.7;
/** Captures before and beside the tasks, in virtual time. */
const CALM_MS = 10_000;

export interface Scored {
  /** From the cron until the last workspace is scored. */
  seconds: number;
  /** 99 of 100 captures take at most this long: without tasks, and beside them. */
  calmP99Ms: number;
  besideP99Ms: number;
}

const p99 = (milliseconds: number[]): number => quantile(milliseconds, 0.99) ?? NaN;

/** Runs the cron's sweeps and their tasks, while senders occupy {@link LOAD} of each database. */
export function scoreAll(
  fleet: Fleet,
  { sweep, task, capture }: Record<"sweep" | "task" | "capture", Profile>,
  tasksASecond = TASKS_A_SECOND,
): Scored {
  const { time, databases, databaseOf } = build(fleet);
  const random = randomOf("captures");
  const captureMs = capture.trips.reduce((sum, ms) => sum + Math.max(ms, fleet.transactionMs), 0);
  const calm: number[] = [];
  const beside: number[] = [];
  // Only one database's captures are measured: all databases are alike.
  for (const [place, database] of databases.entries()) {
    const send = () => {
      const startedAt = time.now;
      database.visit(capture.trips, () => {
        if (place === 0) (startedAt < CALM_MS ? calm : beside).push(time.now - startedAt);
      });
      time.after((-Math.log(1 - random()) * captureMs) / LOAD, send);
    };
    send();
  }

  const queue: number[] = [];
  let [idle, scored] = [fleet.consumers, 0];
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
  const deliver = (workspace: number) => {
    queue.push(workspace);
    if (idle > 0) consume();
  };
  const enqueue = (tasks: readonly number[]) => {
    const rate = Math.max(tasksASecond, tasks.length / SPREAD_SECONDS);
    for (const [index, workspace] of tasks.entries()) {
      const sentAfter = Math.ceil((index + 1) / QUEUE.tasksPerSend) * QUEUE.sendMs;
      time.after(sentAfter + Math.floor(index / rate) * 1_000, () => deliver(workspace));
    }
  };
  const due = Array.from({ length: fleet.due }, (_, workspace) => workspace);
  time.after(CALM_MS + QUEUE.sendMs + QUEUE.deliverMs, () => {
    for (const [place, database] of databases.entries())
      database.visit(sweep.trips, () => enqueue(due.filter((workspace) => workspace % databases.length === place)));
  });
  time.run(() => scored === fleet.due);
  return { seconds: (time.now - CALM_MS) / 1_000, calmP99Ms: p99(calm), besideP99Ms: p99(beside) };
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
