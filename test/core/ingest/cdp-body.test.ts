import { describe, expect, it } from "vitest";

import { at, CONTEXT, mapBatch, mapBody, messageOfBytes, nested, parse, RECEIVED_AT } from "./support.ts";

const track = (userId: string, more: object = {}) => ({
  type: "track",
  userId,
  event: "e",
  messageId: `m-${userId}`,
  ...more,
});
const tracks = (count: number) => Array.from({ length: count }, (_, i) => track(`u${i}`));
const mapOne = (context: unknown, message: object) => mapBatch({ batch: [{ json: message }], context });
const users = (body: unknown) => mapBatch(body).messages.map((message) => message.userId);

describe("a compatibility body", () => {
  it("§4.1 is one message", () => {
    expect(mapBatch(track("a"))).toMatchObject({ lone: true, count: 1, messages: [{ index: 0, userId: "a" }] });
  });
  it("§4.1 is a batch", () => {
    const batch = mapBatch({ batch: [track("a"), track("b")], writeKey: "k", context: {} });
    expect(batch).toMatchObject({ lone: false, count: 2 });
    expect(batch.messages.map(({ index, userId }) => [index, userId])).toEqual([
      [0, "a"],
      [1, "b"],
    ]);
  });
  it("§4.1 is a bare array, also of one message", () => {
    expect(mapBatch([track("a")])).toMatchObject({ lone: false, count: 1 });
    expect(users([track("a"), track("b")])).toEqual(["a", "b"]);
  });
  it("§4.5 is an empty batch", () => {
    const empty = { ok: true, lone: false, count: 0, messages: [], rejections: [], redactions: [] };
    expect(mapBatch([])).toEqual(empty);
    expect(mapBatch({ batch: [] })).toEqual(empty);
  });
  it("§4.1 is one unsupported message if it is an empty object", () => {
    expect(mapBatch({})).toMatchObject({ lone: true, count: 1, rejections: [{ code: "unsupported_type" }] });
  });
  it("§4.1 has messages that may be wrapped as json", () => {
    expect(users([{ json: track("a") }, track("b")])).toEqual(["a", "b"]);
    expect(users({ batch: [{ json: track("a") }, { json: track("b"), attempt: 2 }] })).toEqual(["a", "b"]);
    expect(mapBatch([{ json: 1 }]).rejections).toMatchObject([{ code: "invalid_message", path: null }]);
  });
  it("§4.1 keeps a message that has its own field json", () => {
    expect(users([track("a", { json: track("b") })])).toEqual(["a"]);
    expect(mapBatch([{ json: "x", userId: "a" }]).rejections).toMatchObject([{ code: "unsupported_type" }]);
    expect(mapBatch({ json: track("a") }).rejections).toMatchObject([{ code: "unsupported_type" }]);
  });
  it.each([[null], [undefined], [1], ["x"], [true]])("§4.1 is not %j", (body) => {
    expect(mapBody(body, CONTEXT)).toMatchObject({ ok: false, reason: "invalid", path: null });
  });
  it.each([[null], [1], ["x"], [{}], [track("a")]])("§4.1 is not a batch of %j", (batch) => {
    expect(mapBody({ batch }, CONTEXT)).toMatchObject({ ok: false, reason: "invalid", path: "batch" });
  });
  it("§4.1 has at most 1,000 messages", () => {
    expect(mapBatch(tracks(1_000)).messages).toHaveLength(1_000);
    expect(mapBody(tracks(1_001), CONTEXT)).toMatchObject({ ok: false, reason: "batch_too_large", path: null });
    expect(mapBody({ batch: tracks(1_001) }, CONTEXT)).toMatchObject({ reason: "batch_too_large", path: "batch" });
    expect(mapBody(Array(1_001).fill(1), CONTEXT)).toMatchObject({ reason: "batch_too_large" });
  });
});

describe("the context of a batch", () => {
  it("§4.1 is the default of each message's own, key by key", () => {
    const context = { accountId: "acme", traits: { role: "admin" }, library: { name: "go" } };
    const identify = { type: "identify", userId: "u" };
    expect(mapOne(context, identify).messages).toMatchObject([{ accountId: "acme", traits: { role: "admin" } }]);
    for (const own of [null, "x", 1, [], {}, { locale: "de" }]) {
      expect(mapOne(context, track("u", { context: own })).messages).toMatchObject([{ accountId: "acme" }]);
    }
    expect(mapOne(context, { ...identify, context: { traits: { size: 1 } } }).messages).toMatchObject([
      { accountId: "acme", traits: { size: 1 } },
    ]);
    expect(mapOne(context, track("u", { context: { accountId: "b" } })).messages).toMatchObject([{ accountId: "b" }]);
    expect(mapOne(context, track("u", { context: { accountId: null } })).messages).toMatchObject([{ accountId: null }]);
    const rejected = { kept: { accountId: "acme" } };
    expect(mapOne(context, track("u", { timestamp: 1 })).rejections).toMatchObject([rejected]);
  });
  it.each([null, "x", 1, [], [{ accountId: "a" }]])("§4.1 is ignored if it is %j", (context) => {
    expect(mapOne(context, track("u")).messages).toMatchObject([{ accountId: null }]);
  });
  it("§4.1 doesn't count in a message's size", () => {
    expect(mapOne({ traits: { pad: "x".repeat(9_000) } }, messageOfBytes(16_384)).messages).toHaveLength(1);
  });
  it("§4.1 is at most 512 KB for all messages together", () => {
    const batch = tracks(10);
    const traits = "x".repeat(52_428 - '{"traits":""}'.length);
    expect(mapBatch({ batch, context: { traits, library: traits } })).toMatchObject({ count: 10, rejections: [] });
    const fault = { reason: "batch_too_large", path: "context" };
    expect(mapBody({ batch, context: { traits: `${traits}x` } })).toMatchObject(fault);
    expect(mapBody({ batch: [{}], context: { traits: "é".repeat(262_144) } })).toMatchObject(fault);
  });
  it("§4.1 is nested at most 31 levels deep, and its numbers fit into doubles", () => {
    const fault = { reason: "invalid", path: "context" };
    expect(mapBody({ batch: [{}], context: { traits: nested(30) } })).toMatchObject({ ok: true });
    for (const depth of [31, 5_000]) {
      expect(mapBody({ batch: [{}], context: { traits: nested(depth), page: nested(depth) } })).toMatchObject(fault);
    }
    expect(mapBody(parse('{"batch":[{}],"context":{"traits":{"a":1e400}}}'))).toMatchObject(fault);
  });
});

describe("the messages of a batch", () => {
  it("§4.2 are accepted or rejected one by one", () => {
    const batch = mapBatch([
      track("a"),
      null,
      { type: "page" },
      messageOfBytes(16_385),
      track("b"),
      track("c", { event: 1 }),
    ]);
    expect(batch.messages.map(({ index }) => index)).toEqual([0, 4]);
    expect(batch.rejections.map(({ index, code }) => [index, code])).toEqual([
      [1, "invalid_message"],
      [2, "unsupported_type"],
      [3, "message_too_large"],
      [5, "invalid_message"],
    ]);
    expect(batch.count).toBe(6);
  });
  it("§4.1 are measured without their wrapper", () => {
    expect(mapBatch([{ json: messageOfBytes(16_384) }]).messages).toHaveLength(1);
    expect(mapBatch([{ json: track("a", { properties: nested(31) }) }]).messages).toHaveLength(1);
  });
  it("§4.2 use the batch's sentAt if they have none", () => {
    const made = { originalTimestamp: at(3_600_000), messageId: undefined };
    const sentAt = at(7_200_000);
    const [first, second] = mapBatch({
      batch: [track("a", made), track("b", { ...made, sentAt: at(3_600_000) })],
      sentAt,
    }).messages;
    expect(first?.occurredAt).toBe(RECEIVED_AT - 3_600_000);
    expect(second?.occurredAt).toBe(RECEIVED_AT);
    const local = mapBatch({ batch: [track("a", { timestamp: at(0) })], sentAt: "2026-01-31T13:00:00" });
    expect(local.messages[0]?.occurredAt).toBe(RECEIVED_AT - 3_600_000);
    expect(mapBatch({ batch: [track("a", { timestamp: at(-9_000) })], sentAt: "junk" }).messages[0]?.occurredAt).toBe(
      RECEIVED_AT - 9_000,
    );
  });
  it("§1 all get the path's type", () => {
    const { messages, rejections } = mapBatch([{ userId: "a" }, track("b")], { pathType: "identify" });
    expect(messages).toMatchObject([{ type: "identify", userId: "a" }]);
    expect(rejections).toMatchObject([{ index: 1, path: "type" }]);
  });
  it("§4.5 are listed if personal data was removed", () => {
    const batch = mapBatch([
      track("a"),
      track("b", { properties: { email: "x", a: "b@example.com" } }),
      track("c", { event: 1, properties: { email: "x" } }),
      track("d", { event: "x a@b.co", messageId: null }),
    ]);
    expect(batch.redactions).toEqual([
      { index: 1, messageId: "m-b", paths: ["properties.email", "properties.a"] },
      // What is kept of a rejected message.
      { index: 2, messageId: "m-c", paths: ["properties.email"] },
      { index: 3, messageId: "made", paths: ["event"] },
    ]);
  });
  it("§4.2 messageId: one is made for each accepted message without one", () => {
    let made = 0;
    const newMessageId = () => `made-${(made += 1)}`;
    const batch = mapBatch(
      [track("a", { messageId: " " }), { type: "page" }, track("b"), track("c", { messageId: null })],
      { newMessageId },
    );
    expect(batch.messages.map(({ messageId }) => messageId)).toEqual(["made-1", "m-b", "made-2"]);
    expect(made).toBe(2);
  });
});
