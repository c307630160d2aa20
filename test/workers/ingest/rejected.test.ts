/** What is kept of rejected messages: docs/wire/batches.md §4.5. */
import { afterEach, describe, expect, it, vi } from "vitest";

import { runCron } from "../support/run-cron.ts";
import { batch } from "../support/messages.ts";
import { type IngestSender, newSender, track } from "./sender.ts";

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2100, 5, 15, 12);

const invalid = (fields: Record<string, unknown> = {}) => track({ event: "", ...fields });

/** Has `count` messages rejected, with numbers as message ids. */
async function reject(sender: IngestSender, count: number, from = 0): Promise<void> {
  for (let first = from; first < from + count; first += 400) {
    const size = Math.min(400, from + count - first);
    await sender.post(batch(Array.from({ length: size }, (_, place) => invalid({ messageId: first + place }))));
  }
}

async function keptIds(sender: IngestSender): Promise<number[]> {
  return (await sender.state()).rejections.map(({ messageId }) => Number(messageId));
}

/** Runs the cron of the midnight before. */
const nightly = (now: number) => runCron(now - (now % DAY_MS));

afterEach(() => {
  vi.useRealTimers();
});

describe("a rejected message", () => {
  it("§4.5 is kept with its reason, key, time of receipt, type, identifiers, event, properties and traits", async () => {
    vi.setSystemTime(NOON);
    const sender = await newSender();
    const answer = await sender.post(
      batch([
        {
          type: "track",
          messageId: "m1",
          userId: "u1",
          accountId: " acme ",
          event: "Report Exported",
          timestamp: "yesterday",
          properties: { pages: 3, email: "jane@example.com" },
          traits: { name: "Jane", size: "L" },
        },
      ]),
    );
    expect((await sender.rejected()).rejected).toEqual([
      {
        code: "invalid_message",
        message: answer.rejected[0]?.message,
        path: "timestamp",
        keyId: sender.workspace.keyId,
        receivedAt: new Date(NOON).toISOString(),
        type: "track",
        messageId: "m1",
        userId: "u1",
        accountId: "acme",
        event: "report.exported",
        properties: { pages: 3 },
        traits: { size: "L" },
      },
    ]);
  });

  it("§4.5 is only counted if its type is unsupported, or it has neither a user nor an account", async () => {
    vi.setSystemTime(NOON);
    const sender = await newSender();
    await sender.post(
      batch([
        ...["page", "screen", "alias", "delete", "", 5].map((type) => track({ type })),
        { type: "track", event: "x" },
        { type: "identify", anonymousId: "a1" },
        { type: "group", traits: { a: 1 } },
        { type: "track", event: "", properties: { a: 1 } },
      ]),
    );
    const { rejected, counts } = await sender.rejected();
    expect(rejected).toEqual([]);
    expect(counts).toEqual([
      { day: "2100-06-15", code: "invalid_message", count: 4 },
      { day: "2100-06-15", code: "unsupported_type", count: 6 },
    ]);
  });

  it("§4.5 is counted by day and code", async () => {
    const sender = await newSender();
    for (const [day, count] of [
      [0, 2],
      [0, 1],
      [1, 3],
    ] as const) {
      vi.setSystemTime(NOON + day * DAY_MS);
      await reject(sender, count);
    }
    expect((await sender.rejected()).counts).toEqual([
      { day: "2100-06-16", code: "invalid_message", count: 3 },
      { day: "2100-06-15", code: "invalid_message", count: 3 },
    ]);
  });
});

describe("kept messages", () => {
  it("§4.5 are the newest 1,000 of a workspace", async () => {
    const [older, sender, newer] = [await newSender(), await newSender(), await newSender()];
    await reject(older, 5);
    await reject(newer, 5);
    await reject(sender, 1_000);
    expect(await keptIds(sender)).toHaveLength(1_000);
    await reject(sender, 1, 1_000);
    expect(await keptIds(sender)).toEqual(Array.from({ length: 1_000 }, (_, place) => place + 1));
    await reject(sender, 450, 1_001);
    expect(await keptIds(sender)).toEqual(Array.from({ length: 1_000 }, (_, place) => place + 451));
    expect((await sender.rejected()).counts).toMatchObject([{ count: 1_451 }]);
    for (const other of [older, newer]) expect(await keptIds(other)).toHaveLength(5);
  });

  it("§4.5 are listed for 30 days, and then deleted", async () => {
    vi.setSystemTime(NOON);
    const sender = await newSender();
    await reject(sender, 2);
    vi.setSystemTime(NOON + 30 * DAY_MS);
    expect((await sender.rejected()).rejected).toHaveLength(2);
    await nightly(NOON + 30 * DAY_MS);
    expect(await keptIds(sender)).toEqual([0, 1]);

    vi.setSystemTime(NOON + 30 * DAY_MS + 1);
    expect((await sender.rejected()).rejected).toEqual([]);
    await nightly(NOON + 31 * DAY_MS);
    expect(await keptIds(sender)).toEqual([]);
  });
});
