/**
 * Lets a day pass in the real Worker: stores the messages of the day, then runs the cron at midnight and everything that it
 * queues. Only the time is simulated.
 */
export { WriteLimiter } from "../../src/limiter/write-limiter.ts";

import { DAY_MS } from "../../src/core/durations.ts";
import { mapCdpBody } from "../../src/core/ingest/cdp-body.ts";
import { storeBatch } from "../../src/db/ingest/store-messages.ts";
import { runScheduled } from "../../src/scheduled.ts";
import type { Task } from "../../src/services/tasks/enqueue.ts";
import { runTask } from "../../src/services/tasks/run-task.ts";
import { holdTasks } from "../local/held-tasks.ts";
import { Meter } from "../local/meter.ts";
import { type Day, type DayFigures, messagesOf, type Sender } from "./day.ts";

const CRON_INTERVAL_MS = 300_000;
/** The cron may need the figures of the run before. So it runs until nothing is due, at most for an hour. */
const MAX_CRON_RUNS = 12;

const BATCH = 1_000;
/** Event names of the product, and those of a user and day. */
const EVENTS = 12;
const EVENTS_EACH = 4;

export default {
  async fetch(request, env) {
    return Response.json(await runDay(env, await request.json<Day>()));
  },
} satisfies ExportedHandler<Env>;

async function runDay(env: Env, { day, senders }: Day): Promise<DayFigures> {
  const meter = new Meter(env.DB);
  const queued: Task[] = [];
  const metered: Env = { ...env, DB: meter, TASKS: holdTasks(queued) };
  for (const [place, sender] of senders.entries()) await send(metered, place + 1, sender, day);
  meter.take();

  const figures: DayFigures = { bytes: 0, statements: 0, archive: { ms: 0, rowsRead: 0, rowsWritten: 0 } };
  const takeInvocation = () => {
    const cost = meter.take();
    const statements = cost.statements.reduce((sum, { times }) => sum + times, 0);
    figures.statements = Math.max(figures.statements, statements);
    return cost;
  };
  for (let run = 0; run < MAX_CRON_RUNS; run += 1) {
    const now = (day + 1) * DAY_MS + run * CRON_INTERVAL_MS;
    await runScheduled(metered, now);
    takeInvocation();
    const [sweep] = queued.splice(0);
    if (sweep !== undefined) await runTask(metered, sweep, now);
    takeInvocation();
    if (queued.length === 0) break;
    for (let task = queued.shift(); task !== undefined; task = queued.shift()) {
      const startedAt = performance.now();
      await runTask(metered, task, now);
      const { rowsRead, rowsWritten } = takeInvocation();
      if (task.task !== "archive") continue;
      figures.archive.ms += performance.now() - startedAt;
      figures.archive.rowsRead += rowsRead;
      figures.archive.rowsWritten += rowsWritten;
    }
  }
  figures.bytes = (await meter.prepare("SELECT 1").run()).meta.size_after;
  return figures;
}

async function send(env: Env, number: number, sender: Sender, day: number): Promise<void> {
  const messages = messagesOf(sender);
  const workspace = { id: `ws_${number}`, number, database: "DB" };
  for (let first = 0; first < messages; first += BATCH) {
    const receivedAt = Math.floor((day + first / messages) * DAY_MS);
    const items = Array.from({ length: Math.min(BATCH, messages - first) }, (_, place) =>
      track(sender, first + place, receivedAt),
    );
    const options = { receivedAt, pathType: null, newMessageId: () => crypto.randomUUID() };
    const mapped = mapCdpBody({ lone: false, items, sentAt: null, context: null }, options);
    await storeBatch(env, workspace, "key_1", { source: "cdp", receivedAt, ...mapped });
  }
}

/** Creates a message as Segment's libraries send it. Users take turns. */
function track({ accounts, usersEach }: Sender, n: number, at: number) {
  const user = n % (accounts * usersEach);
  const turn = Math.floor(n / (accounts * usersEach));
  return {
    type: "track",
    messageId: `node-next-${at}-${crypto.randomUUID()}`,
    userId: `user-${user}`,
    event: `report.event-${(user + (turn % EVENTS_EACH)) % EVENTS}`,
    properties: { accountId: `account-${user % accounts}`, format: "pdf", pages: n % 40, source: "dashboard" },
    timestamp: new Date(at).toISOString(),
  };
}
