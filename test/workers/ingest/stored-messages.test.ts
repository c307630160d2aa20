/** What a stored message contains: docs/wire/messages.md §4.2, docs/wire/capture.md §3. */
import { describe, expect, it } from "vitest";

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

  it("§4.2 has its properties exactly as sent, with large integers as text", async () => {
    const sender = await newSender();
    const sent =
      '{"__proto__":{"a":[]},"$.x":"\\u0000","n":[1e+300,-0.5,-9223372036854775808],"":null,"deep":{"er":[[{"id":15248311832002600971}]]}}';
    await sender.post(`{"type":"track","userId":"u1","event":"x","properties":${sent}}`);
    await sender.post(`{"accountId":"acme","userId":"u1","event":"x","properties":${sent}}`, "/api/v1/events");
    const stored = sent.replaceAll(/-?\d{19,}/g, '"$&"');
    const [cdp, native] = await sender.events();
    expect(JSON.stringify(cdp?.properties)).toBe(stored);
    expect(JSON.stringify(native?.properties)).toBe(stored);
  });

  it("§4.2 has the time of receipt if its time is before 2000, and says so", async () => {
    const sender = await newSender();
    const before = Date.now();
    await sender.send(track({ timestamp: "0001-01-01T00:00:00Z" }), track({ timestamp: "1970-01-01T05:30:00+05:30" }));
    await sender.capture({ timestamp: "0027-06-27T08:23:48+0300" });
    const { log } = await sender.state();
    for (const { occurredAt } of log) expect(occurredAt).toBeGreaterThanOrEqual(before);
    expect(log.map(({ mapping }) => mapping)).toMatchObject(log.map(() => ({ unsetField: "timestamp" })));
  });

  it("§4.2 is a behavior event only if it is a track", async () => {
    const sender = await newSender();
    await sender.send(identify(), group("acme"), track({ messageId: "m1" }));
    expect((await sender.events()).map(({ messageId }) => messageId)).toEqual(["m1"]);
  });
});
