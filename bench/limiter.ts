/**
 * `npm run bench:limiter` measures how many requests a second the Durable Object of one workspace decides, as the bound of
 * the highest write limit (`MAX_WRITE_LIMIT`). Every request is a message, the worst case. The caller runs on the same
 * processor, so the object alone is faster.
 *
 *     npm run bench:limiter -- [--seconds 5]
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { z } from "zod";

import { WRITE_WINDOW_MS } from "../src/core/limit/policy.ts";
import { buildWorker } from "../test/harness/build-worker.ts";
import { serveWorker } from "../test/harness/serve-worker.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "5" } } });
const measuredMs = Number(values.seconds) * 1_000;
const Counts = z.object({ admitted: z.number(), refused: z.number() });
const UNLIMITED = 10_000_000;

await using worker = await serveWorker(await buildWorker(fileURLToPath(new URL("limiter/worker.ts", import.meta.url))));

const call = async (name: string, query: string): Promise<unknown> =>
  (await fetch(`${worker.url}/?name=${name}&${query}`)).json();

async function perSecond(name: string, limit: number, warmUpMs: number): Promise<number> {
  await call(name, `limit=${limit}`);
  if (warmUpMs > 0) await call(name, `ms=${warmUpMs}`);
  const { admitted, refused } = Counts.parse(await call(name, `ms=${measuredMs}`));
  return Math.round((admitted + refused) / (measuredMs / 1_000));
}

const rates = {
  "into an empty window": await perSecond("empty", UNLIMITED, 0),
  // One charge for each millisecond: the longest log that a window can have.
  "into a window of 10 s full of charges": await perSecond("full", UNLIMITED, WRITE_WINDOW_MS),
  refused: await perSecond("refused", 1, 0),
};
for (const [what, rate] of Object.entries(rates)) console.log(`${rate.toLocaleString("en")} requests a second ${what}`);
