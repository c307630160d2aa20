/** Runs the real code on one database in this process, and records what a capture, a task and the cron send to it. */
import { DAY_MS, HOUR_MS } from "../../src/core/durations.ts";
import { mapCdpBody } from "../../src/core/ingest/cdp-body.ts";
import { markQueued } from "../../src/db/recompute/queued-tasks-sql.ts";
import { storeBatch } from "../../src/db/ingest/store-messages.ts";
import { recomputeWorkspace } from "../../src/services/recompute/recompute-workspaces.ts";
import { listRecomputes } from "../../src/services/recompute/recompute-workspaces.ts";
import { LocalDatabase } from "../../evals/simulator/local-database.ts";
import { capture } from "../local/capture.ts";
import { environmentOf } from "../local/database.ts";
import { medianOf } from "../../src/core/health/trend.ts";
import { type Trip, TripRecorder } from "../local/trips.ts";

/** Milliseconds of SQL of each round trip, in order, and of the Worker between them. */
export interface Profile {
  trips: number[];
  statements: number;
  workerMs: number;
}

/** A workspace of ordinary size: its history, and what it sent since the last run. */
const HISTORY = { days: 30, accounts: 20, usersEach: 3 };
export const NEW_MESSAGES = 100;
const TODAY = Math.floor(Date.UTC(2026, 10, 18) / DAY_MS);
const NOW = TODAY * DAY_MS + 12 * 3_600_000;
/** The first ones run slower, before V8 has compiled the code. */
const SAMPLES = 40;
const WARM_UP = 10;

const refOf = (number: number) => ({ id: `ws_${number}`, number, database: "DB" });
const OPTIONS = { trigger: "cron", clock: Date.now, budgetMs: DAY_MS } as const;

/** Measures a task that folds new messages, summarizes and scores all accounts: a quarter of the messages is late. */
export async function profileTask(): Promise<Profile> {
  const samples: { trips: Trip[]; ms: number }[] = [];
  for (let number = 1; number <= SAMPLES; number += 1) {
    await withWorkspaces(1, async (recorder) => {
      for (let day = TODAY - HISTORY.days; day < TODAY; day += 1)
        await send(recorder, HISTORY.accounts * 5, day * DAY_MS);
      await recomputeWorkspace(environmentOf(recorder), refOf(1), { ...OPTIONS, now: NOW - 300_000 });
      await send(recorder, NEW_MESSAGES / 4, NOW - DAY_MS);
      await send(recorder, (NEW_MESSAGES * 3) / 4, NOW - 60_000);
      recorder.take();
      const startedAt = performance.now();
      const result = await recomputeWorkspace(environmentOf(recorder), refOf(1), { ...OPTIONS, now: NOW });
      const ms = performance.now() - startedAt;
      if (result.outcome !== "done" || result.run.accountsScored !== HISTORY.accounts)
        throw new Error("Not all is scored.");
      if (number > WARM_UP) samples.push({ trips: recorder.take(), ms });
    });
  }
  return medianProfile(samples);
}

/** Measures a capture of a known user. */
export async function profileCapture(): Promise<Profile> {
  const samples: { trips: Trip[]; ms: number }[] = [];
  await withWorkspaces(1, async (recorder) => {
    for (let sent = 0; sent < 50 * SAMPLES; sent += 1) {
      const batch = capture.next();
      recorder.take();
      const startedAt = performance.now();
      await storeBatch(environmentOf(recorder), refOf(1), "key_1", batch);
      if (sent >= 25 * SAMPLES) samples.push({ trips: recorder.take(), ms: performance.now() - startedAt });
    }
  });
  return medianProfile(samples);
}

/**
 * Measures how long a sweep takes to find the workspaces with work, and to mark them.
 * @param due how many of its workspaces have work
 */
export async function profileSweep(workspaces: number, due: number): Promise<Profile> {
  const samples: { trips: Trip[]; ms: number }[] = [];
  await withWorkspaces(workspaces, async (recorder) => {
    for (let number = 1; number <= due; number += 1) await send(recorder, 1, NOW - 2 * HOUR_MS, number);
    const env = environmentOf(recorder);
    for (let run = 0; run < 5; run += 1) {
      recorder.take();
      const startedAt = performance.now();
      const { due: listed } = await listRecomputes(env, "DB", NOW, { all: false, confirming: false });
      const numbers = listed.map(({ number }) => number);
      // Each time, the tasks of the time before count as lost.
      const marked = await markQueued(env, "DB", "recompute", numbers, { now: NOW, lostBefore: NOW + 1 });
      samples.push({ trips: recorder.take(), ms: performance.now() - startedAt });
      if (marked.size !== due) throw new Error(`The sweep marked ${marked.size} of ${due} workspaces.`);
    }
  });
  return medianProfile(samples);
}

async function withWorkspaces(count: number, work: (recorder: TripRecorder) => Promise<void>): Promise<void> {
  const database = LocalDatabase.create();
  try {
    await database
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO workspace_states (number, id, state) SELECT i, 'ws_' || i, 'live' FROM n`,
      )
      .bind(count)
      .run();
    await work(new TripRecorder(database));
  } finally {
    database.close();
  }
}

let created = 0;

async function send(recorder: TripRecorder, count: number, at: number, workspace = 1): Promise<void> {
  const items = Array.from({ length: count }, () => {
    const n = ++created;
    const account = n % HISTORY.accounts;
    return {
      type: "track",
      messageId: `m${n}`,
      userId: `u${account}-${n % HISTORY.usersEach}`,
      event: ["report.exported", "board.shared", "login"][n % 3],
      properties: { accountId: `a${account}` },
      timestamp: new Date(at).toISOString(),
    };
  });
  const body = { lone: false, items, sentAt: null, context: null };
  const { messages, rejections } = mapCdpBody(body, {
    receivedAt: at,
    pathType: null,
    newMessageId: () => `m${++created}`,
  });
  await storeBatch(environmentOf(recorder), refOf(workspace), "key_1", {
    source: "cdp",
    receivedAt: at,
    messages,
    rejections,
  });
}

/** Takes the median of each round trip. @throws Error when the samples have different numbers of them */
function medianProfile(samples: readonly { trips: Trip[]; ms: number }[]): Profile {
  const [first] = samples;
  if (first === undefined || samples.some(({ trips }) => trips.length !== first.trips.length)) {
    throw new Error("The samples differ in their round trips.");
  }
  const trips = first.trips.map((_, place) => medianOf(samples.map((sample) => sample.trips[place]?.ms ?? 0)));
  const sqlMs = trips.reduce((sum, ms) => sum + ms, 0);
  return {
    trips,
    statements: first.trips.reduce((sum, { statements }) => sum + statements, 0),
    workerMs: Math.max(0, medianOf(samples.map(({ ms }) => ms)) - sqlMs),
  };
}
