/** When stored events happened: docs/wire.md §4.2 and §3. test/core/ingest/times.test.ts has the rule itself. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { newSender, track } from "./sender.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2100, 0, 1);
const iso = (ms: number): string => new Date(NOW + ms).toISOString();

beforeEach(() => {
  vi.setSystemTime(NOW);
});

afterEach(() => {
  vi.useRealTimers();
});

it("§4.2 the batch's sentAt corrects all messages of a request alike, so their order is kept", async () => {
  const sender = await newSender();
  const made = [0, 1_000, 2_000].map((ms) => track({ timestamp: iso(ms - 60 * MINUTE) }));
  await sender.post({ batch: made, sentAt: iso(-30 * MINUTE) });
  expect((await sender.events()).map(({ occurredAt, receivedAt }) => [occurredAt, receivedAt])).toEqual([
    [iso(-30 * MINUTE), iso(0)],
    [iso(-30 * MINUTE + 1_000), iso(0)],
    [iso(-30 * MINUTE + 2_000), iso(0)],
  ]);
});

it("§3 a native capture happened at its timestamp, or else at its receipt", async () => {
  const sender = await newSender();
  await sender.capture({ timestamp: "2026-01-31T10:00:00+01:00" });
  await sender.capture({});
  await sender.capture({ timestamp: iso(60 * MINUTE) });
  const times = (await sender.events()).map(({ occurredAt }) => occurredAt);
  expect(times).toEqual(["2026-01-31T09:00:00.000Z", iso(0), iso(0)]);
});
