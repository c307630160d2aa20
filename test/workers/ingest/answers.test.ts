/** What a sender is told: docs/wire.md §4.5. */
import { describe, expect, it } from "vitest";

import { group, identify, newSender, track } from "./sender.ts";

describe("the answer to compatibility messages", () => {
  it("§4.5 is complete, and tells of stored, duplicate, rejected and redacted messages alike", async () => {
    const sender = await newSender();
    await sender.send(track({ messageId: "m1" }));
    const answer = await sender.send(
      track({ messageId: "m1" }),
      group("acme", { messageId: "m2", traits: { email: "jane@example.com", nested: { ip: "10.0.0.1" } } }),
      track({ messageId: "m3", properties: { text: "x".repeat(17_000) } }),
      { type: "page", messageId: "m4", userId: "u1" },
      track({ messageId: "m5", event: "" }),
      track({ messageId: "m6" }),
    );
    expect(answer).toEqual({
      ok: true,
      deduped: false,
      source: "cdp",
      account: { id: expect.stringMatching(/^acc_/), externalId: "acme" },
      user: { id: expect.stringMatching(/^usr_/), externalId: "u1" },
      stored: 2,
      duplicates: 1,
      rejected: [
        { index: 2, messageId: "m3", code: "message_too_large", message: expect.any(String), path: "properties.text" },
        { index: 3, messageId: "m4", code: "unsupported_type", message: expect.any(String), path: "type" },
        { index: 4, messageId: "m5", code: "invalid_message", message: expect.any(String), path: "event" },
      ],
      redacted: [{ index: 1, messageId: "m2", paths: ["traits.email", "traits.nested.ip"] }],
    });
  });

  it("§4.5 account and user are those of the last message that is not rejected", async () => {
    const sender = await newSender();
    const answer = await sender.send(
      track({ accountId: "acme" }),
      track({ userId: "u2", accountId: "globex" }),
      track({ userId: "u3", accountId: "initech", event: "!" }),
    );
    expect(answer).toMatchObject({ account: { externalId: "globex" }, user: { externalId: "u2" } });
  });

  it("§4.5 a duplicate counts as the last message", async () => {
    const sender = await newSender();
    const first = await sender.send(track({ messageId: "m1", accountId: "acme" }));
    const answer = await sender.send(track({ userId: "u2", accountId: "globex" }), track({ messageId: "m1" }));
    expect(answer).toMatchObject({ stored: 1, duplicates: 1, account: first.account, user: first.user });
  });

  it("§4.5 account and user are null where the last message has none", async () => {
    const sender = await newSender();
    expect(await sender.send(group("acme"), identify({ userId: "u2" }))).toMatchObject({
      account: null,
      user: { externalId: "u2" },
    });
    expect(await sender.send(group("acme"), { type: "group", groupId: "globex" })).toMatchObject({
      account: { externalId: "globex" },
      user: null,
    });
  });

  it("§4.5 deduped is true when at least one message was a duplicate and none was stored", async () => {
    const sender = await newSender();
    await sender.send(track({ messageId: "m1" }));
    const deduped = async (...messages: Record<string, unknown>[]) => (await sender.post({ batch: messages })).deduped;
    expect(await deduped(track({ messageId: "m1" }))).toBe(true);
    expect(await deduped(track({ messageId: "m1" }), track({ event: "!" }))).toBe(true);
    expect(await deduped(track({ messageId: "m1" }), track({ messageId: "m2" }))).toBe(false);
    expect(await deduped(track({ event: "!" }))).toBe(false);
    expect(await deduped()).toBe(false);
  });

  it("§4.5 a batch whose messages are all invalid is 200 with all of them in rejected, and nothing stored", async () => {
    const sender = await newSender();
    const answer = await sender.send(track({ event: "!" }), { type: "page" }, { type: "identify" });
    expect(answer).toMatchObject({ stored: 0, duplicates: 0, deduped: false, account: null, user: null });
    expect(answer.rejected.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(await sender.state()).toMatchObject({ log: [], users: {}, accounts: {} });
  });

  it("§4.5 an empty batch is 200 with nothing stored", async () => {
    const sender = await newSender();
    for (const body of [{ batch: [] }, []]) {
      expect(await sender.post(body)).toEqual({
        ok: true,
        deduped: false,
        source: "cdp",
        account: null,
        user: null,
        stored: 0,
        duplicates: 0,
        rejected: [],
        redacted: [],
      });
    }
  });

  it("§4.5 one message alone that is invalid is 400, and is kept as rejected", async () => {
    const sender = await newSender();
    const { status, body } = await sender.workspace.post("/api/v1/cdp", track({ event: "!" }));
    expect([status, body.error?.code]).toEqual([400, "invalid_message"]);
    expect((await sender.rejected()).rejected).toMatchObject([{ code: "invalid_message", path: "event" }]);
  });

  it("§4.5 stored, duplicates and rejected add up to the messages, for 1,000 of all sorts", async () => {
    const sender = await newSender();
    const messages = Array.from({ length: 1_000 }, (_, place) => {
      if (place % 10 === 0) return { type: "screen", userId: "u1" };
      if (place % 10 === 1) return track({ event: "" });
      return track({ messageId: `m${place % 100}`, userId: `u${place % 7}` });
    });
    const answer = await sender.post(messages);
    expect([answer.stored, answer.duplicates, answer.rejected.length]).toEqual([80, 720, 200]);
    expect(await sender.events()).toHaveLength(80);
  });

  it("§4.5 what the answer counts as stored can be read at once", async () => {
    const sender = await newSender();
    for (let round = 0; round < 10; round += 1) {
      await sender.send(track({ messageId: `m${round}` }));
      expect((await sender.events()).at(-1)?.messageId).toBe(`m${round}`);
    }
  });
});
