/** The response to compatibility messages: docs/wire/batches.md §4.5. */
import { describe, expect, it } from "vitest";

import { group, identify, newSender, track } from "./sender.ts";

describe("the response to compatibility messages", () => {
  it("§4.5 counts stored and duplicate messages, and lists rejected and redacted ones", async () => {
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

  it("§4.5 has the account and user of the last message that is not rejected", async () => {
    const sender = await newSender();
    const answer = await sender.send(
      track({ accountId: "acme" }),
      track({ userId: "u2", accountId: "globex" }),
      track({ userId: "u3", accountId: "initech", event: "!" }),
    );
    expect(answer).toMatchObject({ account: { externalId: "globex" }, user: { externalId: "u2" } });
  });

  it("§4.5 has the account and user of a duplicate if it is last", async () => {
    const sender = await newSender();
    const first = await sender.send(track({ messageId: "m1", accountId: "acme" }));
    const answer = await sender.send(track({ userId: "u2", accountId: "globex" }), track({ messageId: "m1" }));
    expect(answer).toMatchObject({ stored: 1, duplicates: 1, account: first.account, user: first.user });
  });

  it("§4.5 has null if the last message has no account or user", async () => {
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

  it("§4.5 is deduped if it has duplicates and stored nothing", async () => {
    const sender = await newSender();
    await sender.send(track({ messageId: "m1" }));
    const deduped = async (...messages: Record<string, unknown>[]) => (await sender.post({ batch: messages })).deduped;
    expect(await deduped(track({ messageId: "m1" }))).toBe(true);
    expect(await deduped(track({ messageId: "m1" }), track({ event: "!" }))).toBe(true);
    expect(await deduped(track({ messageId: "m1" }), track({ messageId: "m2" }))).toBe(false);
    expect(await deduped(track({ event: "!" }))).toBe(false);
    expect(await deduped()).toBe(false);
  });

  it("§4.5 is 200 for a batch of invalid messages, and lists all of them", async () => {
    const sender = await newSender();
    const answer = await sender.send(track({ event: "!" }), { type: "page" }, { type: "identify" });
    expect(answer).toMatchObject({ stored: 0, duplicates: 0, deduped: false, account: null, user: null });
    expect(answer.rejected.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(await sender.state()).toMatchObject({ log: [], users: {}, accounts: {} });
  });

  it("§4.5 is 400 for one invalid message, which is kept as rejected", async () => {
    const sender = await newSender();
    const { status, body } = await sender.workspace.post("/api/v1/cdp", track({ event: "!" }));
    expect([status, body.error?.code]).toEqual([400, "invalid_message"]);
    expect((await sender.rejected()).rejected).toMatchObject([{ code: "invalid_message", path: "event" }]);
  });
});
