/** What a stored message contains, and when it happened: docs/wire.md §4.2 and §3. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { group, identify, newSender, track } from "./sender.ts";

describe("a stored message", () => {
  it("§4.2 has trimmed identifiers, and integers as strings", async () => {
    const sender = await newSender();
    await sender.send(track({ userId: 7, accountId: " 8 ", messageId: 9 }));
    expect(await sender.events()).toMatchObject([
      { messageId: "9", account: { externalId: "8" }, user: { externalId: "7" }, source: "cdp" },
    ]);
    expect((await sender.send(track({ userId: "7", messageId: "9" }))).duplicates).toBe(1);
  });

  it("§4.2 has an account from its context, but no context", async () => {
    const sender = await newSender();
    await sender.send(
      track({ context: { groupId: "acme", library: { name: "a-library" }, page: { url: "https://x.test" } } }),
    );
    const state = await sender.state();
    expect(state.log).toMatchObject([{ account: "company:acme", properties: null }]);
    expect(JSON.stringify(state)).not.toMatch(/library|x\.test/);
  });

  it("§4.2 has its properties exactly as sent", async () => {
    const sender = await newSender();
    const text =
      '{"__proto__":{"a":[]},"$.x":"\\u0000\'","n":[1e300,-0.5,12345678901234567000],"":null,"deep":{"er":[[{}]]}}';
    await sender.post(`{"type":"track","userId":"u1","event":"x","properties":${text}}`);
    await sender.capture({ properties: JSON.parse(text) });
    const [cdp, native] = await sender.events();
    expect(JSON.stringify(cdp?.properties)).toBe(JSON.stringify(JSON.parse(text)));
    expect(JSON.stringify(native?.properties)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it("§4.2 is a behavior event only if it is a track", async () => {
    const sender = await newSender();
    await sender.send(identify(), group("acme"), track({ messageId: "m1" }));
    expect((await sender.events()).map(({ messageId }) => messageId)).toEqual(["m1"]);
  });
});

const MINUTE = 60_000;
const NOW = Date.UTC(2100, 0, 1);
const iso = (ms: number): string => new Date(NOW + ms).toISOString();

describe("the time of a stored message", () => {
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
});
