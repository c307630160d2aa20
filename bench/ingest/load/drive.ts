/** The process that sends requests: one job after the other. It measures response times. */
import { Pool } from "undici";

import type { Job, Outcome } from "./job.ts";
import { nextBody } from "./payloads.ts";

const TIMER_MS = 2;
/** How many bodies to create ahead at a constant rate. */
const AHEAD = 64;

async function drive(job: Job): Promise<Outcome> {
  const { origin, pathname } = new URL(job.url);
  const pool = new Pool(origin, { connections: job.connections, pipelining: 1 });
  const times: number[] = [];
  let sent = 0;
  const send = async (body: string, dueAt: number): Promise<void> => {
    const key = job.keys[sent++ % job.keys.length] ?? "";
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const answer = await pool.request({ method: "POST", path: pathname, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== job.status) throw new Error(`${job.url} answered ${answer.statusCode}: ${text}`);
    times.push(performance.now() - dueAt);
  };
  try {
    const startedAt = performance.now();
    await (job.perSecond === undefined ? asFastAsPossible(job, send) : atConstantRate(job, job.perSecond, send));
    const elapsedMs = performance.now() - startedAt;
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    return { requests: times.length, elapsedMs, p50: at(0.5), p99: at(0.99) };
  } finally {
    await pool.close();
  }
}

type Send = (body: string, dueAt: number) => Promise<void>;

async function asFastAsPossible({ connections, durationMs, payload }: Job, send: Send): Promise<void> {
  const until = performance.now() + durationMs;
  const connection = async () => {
    while (performance.now() < until) {
      const body = nextBody(payload);
      await send(body, performance.now());
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
}

async function atConstantRate({ durationMs, payload }: Job, perSecond: number, send: Send): Promise<void> {
  const count = Math.floor((durationMs / 1_000) * perSecond);
  const bodies: string[] = [];
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  while (sent.length < count) {
    const dueAt = startedAt + (sent.length * 1_000) / perSecond;
    if (performance.now() >= dueAt) {
      sent.push(send(bodies.shift() ?? nextBody(payload), dueAt));
    } else {
      if (bodies.length < AHEAD) bodies.push(nextBody(payload));
      // A timer may be a millisecond late, but polling the clock all the time would take a processor from the services.
      const soon = dueAt - performance.now() < TIMER_MS;
      await new Promise((resolve) => (soon ? setImmediate(resolve) : setTimeout(resolve, TIMER_MS / 2)));
    }
  }
  await Promise.all(sent);
}

process.on("message", (job: Job) => {
  drive(job).then(
    (outcome) => process.send?.({ outcome }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
