/** Messages by minute and hour, counted from the log. */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type WorkspaceRef } from "../../../src/db/client/database.ts";
import { newBatch } from "../../../src/db/client/batch.ts";
import { selectTraffic, type TrafficSpan } from "../../../src/db/events/traffic.ts";
import { fullScans } from "../costs/full-scans.ts";
import { newMeter } from "../costs/meter.ts";
import { newWorkspace } from "./stored-state.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SPANS = { hour: { widthMs: MINUTE_MS, buckets: 60 }, days: { widthMs: HOUR_MS, buckets: 48 } } as const;
const NOW = Date.UTC(2026, 0, 15, 12, 34, 30);

const INSERT_MESSAGES = `
INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, occurred_at, received_at)
SELECT (?1 << 32) + ?2 + key, ?1, 'cdp', 'm' || (?2 + key), 1, 'identify', 0, value FROM json_each(?3)`;
const INSERT_REJECTIONS = `
INSERT INTO rejections (seq, received_at, key_id, code, reason)
SELECT (?1 << 32) + ?2 + key, value, 'key_1', 'invalid_message', 'No.' FROM json_each(?3)`;

/** Stores messages or rejections received at these times, in this order, with the keys from `first` on. */
const insert = ({ number }: WorkspaceRef, sql: string, times: readonly number[], first = 1) =>
  env.DB.prepare(sql).bind(number, first, JSON.stringify(times)).run();

async function readTraffic(bindings: Env, workspace: WorkspaceRef, span: TrafficSpan, now: number) {
  const batch = newBatch(bindings, workspace);
  const read = selectTraffic(batch, span, now);
  await batch.run();
  return read();
}

const countIn = (times: readonly number[], start: number, span: TrafficSpan) =>
  times.filter((time) => time >= start && time < start + SPANS[span].widthMs).length;

describe("§7 traffic", () => {
  it.each(["hour", "days"] as const)("counts stored and rejected messages of the span %s by time", async (span) => {
    const { widthMs, buckets } = SPANS[span];
    const reach = 1.2 * buckets * widthMs;
    const anyTime = fc.integer({ min: NOW - reach, max: NOW });
    const atBoundary = anyTime.map((time) => time - (time % widthMs));
    const times = fc.array(fc.oneof(anyTime, atBoundary), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(times, times, fc.integer({ min: 1, max: 5 }), async (messages, rejections, first) => {
        const workspace = await newWorkspace();
        const inOrder = messages.toSorted((a, b) => a - b);
        await insert(workspace, INSERT_MESSAGES, inOrder, first);
        // Messages of another workspace must not count.
        await insert(await newWorkspace(), INSERT_MESSAGES, [NOW - 1, NOW]);
        await insert(workspace, INSERT_REJECTIONS, rejections);
        const traffic = await readTraffic(env, workspace, span, NOW);
        expect(traffic).toHaveLength(buckets);
        expect(traffic.at(-1)?.start).toBe(NOW - (NOW % widthMs));
        for (const { start, stored, rejected } of traffic) {
          expect([stored, rejected]).toEqual([countIn(messages, start, span), countIn(rejections, start, span)]);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("counts every message once when some arrived out of order", async () => {
    const workspace = await newWorkspace();
    await insert(workspace, INSERT_MESSAGES, [
      NOW - 61_000,
      NOW - 59_000,
      NOW - 62_000,
      NOW - 1_000,
      NOW - 30_000,
      NOW,
    ]);
    const traffic = await readTraffic(env, workspace, "hour", NOW);
    expect(traffic.reduce((sum, { stored }) => sum + stored, 0)).toBe(6);
  });

  it("reads few rows, without a scan, however many messages are stored", async () => {
    const { workspace, env: metered, take } = await newMeter();
    const ref = await workspace.ref();
    const messages = Array.from({ length: 36_000 }, (_, place) => NOW - (36_000 - place) * 100);
    await insert(ref, INSERT_MESSAGES, messages);
    take();
    const traffic = await readTraffic(metered, ref, "hour", NOW);
    expect(traffic.reduce((sum, { stored }) => sum + stored, 0)).toBeGreaterThan(35_000);
    const { trips, read, written, statements } = take();
    expect({ trips, written }).toEqual({ trips: 1, written: 0 });
    expect(read).toBeLessThan(4_000);
    for (const { sql, values } of statements) expect(await fullScans(sql, values), sql).toEqual([]);
  });
});
