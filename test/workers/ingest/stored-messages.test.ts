/** What a stored message contains: docs/wire.md §4.2 and §3. */
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
