/** Runs the real ingest, cron and tasks for one workspace, and counts what is billed. Only the time is simulated. */
export { WriteLimiter } from "../../src/limiter/write-limiter.ts";

import { DAY_MS } from "../../src/core/durations.ts";
import { mapCdpBody } from "../../src/core/ingest/cdp-body.ts";
import { storeBatch } from "../../src/db/ingest/store-messages.ts";
import { runScheduled } from "../../src/scheduled.ts";
import type { Task } from "../../src/services/tasks/enqueue.ts";
import { runTask } from "../../src/services/tasks/run-task.ts";
import { holdTasks } from "../local/held-tasks.ts";
import { Meter } from "../local/meter.ts";
import type { FoldPolicy, Step, StepFigures } from "./protocol.ts";
import { messagesOf, quietMessages, type Sent } from "./traffic.ts";

const WORKSPACE = { id: "ws_1", number: 1, database: "DB" };

interface Counted {
  env: Env;
  meter: Meter;
  queued: Task[];
  figures: StepFigures;
}

const writtenLines = { count: 0 };
for (const level of ["log", "error"] as const) {
  console[level] = () => {
    writtenLines.count += 1;
  };
}

export default {
  async fetch(request, env) {
    return Response.json(await run(count(env), await request.json<Step>()));
  },
} satisfies ExportedHandler<Env>;

function count(env: Env): Counted {
  const meter = new Meter(env.DB);
  const queued: Task[] = [];
  const figures = { requests: 0, stored: 0, rowsRead: 0, rowsWritten: 0, tasks: 0, logLines: 0, bucketReads: 0 };
  const counted: StepFigures = { ...figures, bucketWrites: 0, bytes: 0 };
  const bucket = countOperations(env.ARCHIVE, counted);
  return { env: { ...env, DB: meter, ARCHIVE: bucket, TASKS: holdTasks(queued) }, meter, queued, figures: counted };
}

async function run(counted: Counted, step: Step): Promise<StepFigures> {
  const { meter, figures } = counted;
  writtenLines.count = 0;
  if (step.do === "send") {
    const { workload, day, slot } = step;
    await send(counted, slot === null ? quietMessages(workload, day) : messagesOf(workload, day, slot), step.size);
  } else if (step.do === "run") await runCron(counted, step.now, step.policy);
  else await archive(counted, step.now);
  const { rowsRead, rowsWritten } = meter.take();
  const { meta } = await meter.prepare("SELECT 1").run();
  return { ...figures, rowsRead, rowsWritten, logLines: writtenLines.count, bytes: meta.size_after };
}

async function send({ env, figures }: Counted, sent: readonly Sent[], size: number): Promise<void> {
  for (let first = 0; first < sent.length; first += size) {
    const part = sent.slice(first, first + size);
    const receivedAt = part.at(-1)?.receivedAt ?? 0;
    const options = { receivedAt, pathType: null, newMessageId: () => crypto.randomUUID() };
    const body = { lone: size === 1, items: part.map(({ item }) => item), sentAt: null, context: null };
    const { messages, rejections } = mapCdpBody(body, options);
    if (rejections.length > 0) throw new Error(rejections[0]?.message);
    const batch = { source: "cdp" as const, receivedAt, messages, rejections };
    figures.stored += (await storeBatch(env, WORKSPACE, "key_1", batch)).stored;
    figures.requests += 1;
  }
}

async function runCron({ env, meter, queued, figures }: Counted, now: number, policy: FoldPolicy | null) {
  await runScheduled(env, now);
  for (let task = queued.shift(); task !== undefined; task = queued.shift()) {
    if (policy !== null && task.task === "recompute" && !(await paysToFold(meter, now, policy))) continue;
    // A database has one sweep, however many workspaces it has.
    if (task.task !== "sweep") figures.tasks += 1;
    await runTask(env, task, now);
  }
}

/** Whether a policy folds now. Looking takes a few rows, which the cron reads anyway. */
async function paysToFold(meter: Meter, now: number, { messages, ms }: FoldPolicy): Promise<boolean> {
  const tail = await meter
    .prepare(
      `SELECT f.as_of AS asOf, (SELECT max(seq) FROM messages) - f.watermark AS size,
        (SELECT received_at FROM messages WHERE seq = f.watermark + 1) AS oldestAt FROM folds f WHERE f.workspace = 1`,
    )
    .first<{ asOf: number | null; size: number; oldestAt: number | null }>();
  if (tail === null || Math.floor((tail.asOf ?? 0) / DAY_MS) < Math.floor(now / DAY_MS)) return true;
  return tail.size >= messages || now - (tail.oldestAt ?? now) >= ms;
}

/** The rows of the cron count elsewhere: it runs every five minutes in any case. */
async function archive({ env, meter, queued, figures }: Counted, now: number): Promise<void> {
  await runScheduled(env, now);
  for (const sweep of queued.splice(0)) await runTask(env, sweep, now);
  meter.take();
  const tasks = queued.splice(0).filter(({ task }) => task === "archive");
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    figures.tasks += 1;
    await runTask(env, task, now);
    tasks.push(...queued.splice(0));
  }
}

/** Counts the calls of a bucket that cost something. */
function countOperations(bucket: R2Bucket, figures: StepFigures): R2Bucket {
  return new Proxy(bucket, {
    get(target, name: keyof R2Bucket) {
      if (name === "get" || name === "head") figures.bucketReads += 1;
      if (name === "put" || name === "list") figures.bucketWrites += 1;
      return target[name].bind(target);
    },
  });
}
