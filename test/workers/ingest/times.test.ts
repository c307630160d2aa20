/** When a stored message happened: docs/wire.md §4.2, Time. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { newSender, track } from "./sender.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The service's clock stands here. */
const NOW = Date.UTC(2100, 0, 1);

const FIELDS = ["timestamp", "originalTimestamp", "sentAt", "receivedAt"] as const;
type Times = Partial<Record<(typeof FIELDS)[number], number | string>>;

/** Numbers are milliseconds from now. */
const iso = (times: Times) =>
  Object.fromEntries(
    Object.entries(times).map(([name, ms]) => [name, typeof ms === "number" ? new Date(NOW + ms).toISOString() : ms]),
  );

/** Stores a track with these times: when it happened, in milliseconds from now. */
async function occurred(times: Times, batchTimes: Times = {}): Promise<number> {
  const sender = await newSender();
  await sender.post({ batch: [{ type: "track", userId: "u1", event: "x", ...iso(times) }], ...iso(batchTimes) });
  const [event] = await sender.events();
  expect(event?.receivedAt).toBe(new Date(NOW).toISOString());
  return Date.parse(event?.occurredAt ?? "") - NOW;
}

beforeEach(() => {
  vi.setSystemTime(NOW);
});

afterEach(() => {
  vi.useRealTimers();
});

describe("time", () => {
  it("§4.2 a message without times happened when it was received", async () => {
    expect(await occurred({})).toBe(0);
    expect(await occurred({ sentAt: -HOUR })).toBe(0);
  });

  it("§4.2 a timestamp without sentAt stands", async () => {
    expect(await occurred({ timestamp: -3 * HOUR })).toBe(-3 * HOUR);
  });

  it("§4.2 with sentAt, the distance from making to sending is taken off the time of receipt", async () => {
    const ahead = { originalTimestamp: DAY - 40 * MINUTE, sentAt: DAY, timestamp: -7 };
    expect(await occurred(ahead)).toBe(-40 * MINUTE);
    const behind = { originalTimestamp: -9 * DAY - MINUTE, sentAt: -9 * DAY };
    expect(await occurred(behind)).toBe(-MINUTE);
  });

  it("§4.2 originalTimestamp falls back to timestamp, and the message's sentAt to the batch's", async () => {
    expect(await occurred({ timestamp: HOUR - MINUTE, sentAt: HOUR })).toBe(-MINUTE);
    expect(await occurred({ timestamp: HOUR - MINUTE }, { sentAt: HOUR })).toBe(-MINUTE);
    expect(await occurred({ timestamp: HOUR - MINUTE, sentAt: HOUR }, { sentAt: 2 * HOUR })).toBe(-MINUTE);
  });

  it("§4.2 a message that carries receivedAt was corrected before: its timestamp stands", async () => {
    const forwarded = { timestamp: -2 * HOUR, originalTimestamp: 5 * HOUR, sentAt: 6 * HOUR, receivedAt: -HOUR };
    expect(await occurred(forwarded)).toBe(-2 * HOUR);
  });

  it("§4.2 a correction below 5 s is transit noise and is not applied", async () => {
    expect(await occurred({ timestamp: -MINUTE, sentAt: -4_999 })).toBe(-MINUTE);
    expect(await occurred({ timestamp: -MINUTE, sentAt: 4_999 })).toBe(-MINUTE);
    expect(await occurred({ timestamp: -MINUTE, sentAt: -5_000 })).toBe(-MINUTE + 5_000);
    expect(await occurred({ timestamp: -MINUTE, sentAt: 5_000 })).toBe(-MINUTE - 5_000);
  });

  it("§4.2 what still lies in the future by more than 5 minutes becomes the time of receipt", async () => {
    expect(await occurred({ timestamp: 5 * MINUTE })).toBe(5 * MINUTE);
    expect(await occurred({ timestamp: 5 * MINUTE + 1 })).toBe(0);
    expect(await occurred({ originalTimestamp: HOUR, sentAt: -HOUR })).toBe(0);
    expect(await occurred({ timestamp: DAY, receivedAt: 0 })).toBe(0);
  });

  it("§4.2 an unreadable sentAt or originalTimestamp is ignored", async () => {
    expect(await occurred({ timestamp: -HOUR, sentAt: "yesterday" })).toBe(-HOUR);
    expect(await occurred({ timestamp: HOUR - MINUTE, originalTimestamp: "soon", sentAt: HOUR })).toBe(-MINUTE);
  });

  it("§4.2 an unreadable timestamp is invalid", async () => {
    const sender = await newSender();
    const answer = await sender.send(track({ timestamp: "yesterday" }), track({ timestamp: 5 }), track());
    expect(answer.rejected).toMatchObject([
      { index: 0, code: "invalid_message", path: "timestamp" },
      { index: 1, code: "invalid_message", path: "timestamp" },
    ]);
    expect(await sender.events()).toHaveLength(1);
  });

  it("§4.2 an order within a sender is kept: one correction moves all messages of a request alike", async () => {
    const sender = await newSender();
    const made = [0, 1, 2].map((second) =>
      track({ messageId: `m${second}`, ...iso({ timestamp: -HOUR + second * 1_000 }) }),
    );
    await sender.post({ batch: made, ...iso({ sentAt: -30 * MINUTE }) });
    expect((await sender.events()).map(({ occurredAt }) => Date.parse(occurredAt) - NOW)).toEqual([
      -30 * MINUTE,
      -30 * MINUTE + 1_000,
      -30 * MINUTE + 2_000,
    ]);
  });

  it("§3 a native capture happened at its timestamp, else at its receipt", async () => {
    const sender = await newSender();
    await sender.capture({ timestamp: "2026-01-31T10:00:00+01:00" });
    await sender.capture({});
    await sender.capture(iso({ timestamp: HOUR }));
    expect((await sender.events()).map(({ occurredAt }) => occurredAt)).toEqual([
      "2026-01-31T09:00:00.000Z",
      new Date(NOW).toISOString(),
      new Date(NOW).toISOString(),
    ]);
  });
});
