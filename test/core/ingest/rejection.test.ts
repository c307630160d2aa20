import { describe, expect, it } from "vitest";

import { rejectCapture } from "../../../src/core/ingest/rejection.ts";
import { messageOfBytes, nested, parse, reject } from "./support.ts";

const bad = { type: "track", userId: "u", event: "Report Exported", timestamp: "soon" };
const bytes = (value: unknown): number => (value === null ? 0 : Buffer.byteLength(JSON.stringify(value)));

describe("what is kept of a rejected message", () => {
  it("§4.5 is its type, valid ids, event, and redacted properties and traits", () => {
    const rejection = reject({
      ...bad,
      messageId: " m1 ",
      anonymousId: "anon",
      properties: { accountId: 7, note: "jane@example.com", email: "x" },
      traits: { name: "Jane", role: "x" },
      context: { ip: "1" },
      writeKey: "k",
    });
    expect(rejection).toEqual({
      index: 0,
      automatic: false,
      messageId: "m1",
      code: "invalid_message",
      message: "timestamp must be an ISO 8601 time: a string such as 2026-11-20T09:00:00Z, not a number.",
      path: "timestamp",
      kept: {
        type: "track",
        messageId: "m1",
        userId: "u",
        accountId: "7",
        event: "report.exported",
        properties: { accountId: 7, note: "[redacted]" },
        traits: { role: "x" },
      },
    });
  });
  it("§4.5 is null for absent fields", () => {
    expect(reject({ type: "group", userId: "u" }).kept).toEqual({
      type: "group",
      messageId: null,
      userId: "u",
      accountId: null,
      event: null,
      properties: null,
      traits: null,
    });
  });
  it("§4.5 is null for an unusable id", () => {
    expect(reject({ ...bad, userId: {}, messageId: "m", accountId: "a" }).kept).toMatchObject({
      userId: null,
      messageId: "m",
      accountId: "a",
    });
    expect(reject({ ...bad, messageId: {} })).toMatchObject({
      messageId: null,
      kept: { messageId: null, userId: "u" },
    });
    expect(reject({ ...bad, properties: { accountId: {} }, accountId: "a" }).kept).toMatchObject({ accountId: "a" });
  });
  it("§4.5 is nothing if it is no object", () => {
    for (const value of ["x", null, 5, []]) expect(reject(value).kept).toBeNull();
  });
  it("§4.5 is nothing if it has neither a user nor an account", () => {
    expect(reject({ type: "track", event: "e", messageId: {} }).kept).toBeNull();
    expect(reject({ ...bad, userId: null, properties: { a: nested(40) } }).kept).toBeNull();
    expect(reject({ ...bad, userId: null, pad: "x".repeat(20_000) }).kept).toBeNull();
    expect(reject({ type: "track", event: "e", userId: {} }).kept).not.toBeNull();
  });
  it("§4.5 is automatic if client libraries send its type by themselves", () => {
    for (const type of ["page", "screen", "alias"]) expect(reject({ type, userId: "u" }).automatic).toBe(true);
    for (const type of ["delete", "x", null]) expect(reject({ type, userId: "u" }).automatic).toBe(false);
  });
  it("§4.5 is the event as sent if it can't be mapped, redacted and cut at 256 characters", () => {
    expect(reject({ ...bad, event: "!!!" }).kept?.event).toBe("!!!");
    expect(reject({ ...bad, event: `by jane@example.com ${"é".repeat(500)}` }).kept?.event).toBe(
      `by [redacted] ${"é".repeat(242)}`,
    );
    expect(reject({ ...bad, event: "a".repeat(200) }).kept?.event).toBe("a".repeat(200));
    expect(reject({ ...bad, event: 7 }).kept?.event).toBeNull();
  });
  it("§4.5 is the stated type, even if it contradicts the path, without personal data", () => {
    expect(reject({ ...bad, type: "jane@example.com" }, { pathType: "track" }).kept?.type).toBe("[redacted]");
    expect(reject({ ...bad, type: "t".repeat(100) }, { pathType: "track" }).kept?.type).toBe("t".repeat(64));
    expect(reject({ ...bad, type: 7 }, { pathType: "track" }).kept?.type).toBe("track");
    expect(reject({ ...bad, type: undefined }, { pathType: "track" }).kept?.type).toBe("track");
  });
  it("§4.5 is exactly 4 KB of properties and traits at most", () => {
    const fits = { a: "", b: "x" };
    fits.a = "é".repeat(
      (4_096 - bytes({ properties: fits, traits: {} }) + bytes({ properties: 0, traits: 0 }) - 2) / 2,
    );
    fits.b = "x".repeat(1 + 4_096 - bytes(fits) - 2);
    const kept = reject({ ...bad, properties: fits, traits: {} }).kept;
    expect(kept).toMatchObject({ properties: fits, traits: {} });
    expect(bytes(kept?.properties) + bytes(kept?.traits)).toBe(4_096);
    const more = reject({ ...bad, properties: { ...fits, b: `${fits.b}xxx` }, traits: {} }).kept;
    expect(more?.properties).toEqual({ a: fits.a });
  });
  it("§4.5 is every key that fits, after one that does not", () => {
    const kept = reject({ ...bad, properties: { a: 1, big: "x".repeat(5_000), z: 2 }, traits: { t: 1 } }).kept;
    expect(kept).toMatchObject({ properties: { a: 1, z: 2 }, traits: { t: 1 } });
  });
  it("§4.5 is as much of the traits as the properties leave room for", () => {
    const full = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`k${i}`, 1]));
    const kept = reject({ ...bad, properties: full, traits: { ...full, zz: 1 } }).kept;
    expect(bytes(kept?.properties)).toBeGreaterThan(4_080);
    expect(bytes(kept?.properties) + bytes(kept?.traits ?? null)).toBeLessThanOrEqual(4_096);
    const exact = { a: "x".repeat(4_096 - 8) };
    expect(reject({ ...bad, properties: exact, traits: { t: 1 } }).kept).toMatchObject({
      properties: exact,
      traits: null,
    });
  });
  it("§4.5 is what fits of a message that is too large", () => {
    expect(reject({ ...messageOfBytes(20_000), traits: { role: "x" } }).kept).toMatchObject({
      event: "e",
      properties: {},
      traits: { role: "x" },
    });
  });
  it("§4.5 is only the ids and the event of a message that is too deep", () => {
    expect(
      reject({ ...bad, properties: { accountId: "a", b: nested(200_000, "[", "]") }, traits: { x: 1 } }),
    ).toMatchObject({
      code: "invalid_message",
      kept: { userId: "u", accountId: "a", event: "report.exported", properties: null, traits: null },
    });
  });
  it("§4.5 is an own key __proto__ too", () => {
    const message = parse('{"type":"track","userId":"u","event":1,"properties":{"__proto__":{"a":1},"b":2}}');
    expect(JSON.stringify(reject(message).kept?.properties)).toBe('{"__proto__":{"a":1},"b":2}');
  });
  it("§8 has a reason with the field and never its value", () => {
    const value = "qq-value-qq";
    const rejections = [
      reject({ ...bad, timestamp: value }),
      reject({ ...bad, event: [value] }),
      reject({ ...bad, userId: { [value]: value } }),
      reject({ ...bad, type: value }),
      reject({ ...bad, type: value }, { pathType: "track" }),
      reject({ ...bad, properties: value }),
    ];
    for (const { message, path } of rejections) {
      expect(message).not.toContain(value);
      expect(message).toMatch(/^\w.*\.$/);
      expect(message).toContain(path);
    }
  });
});

describe("a rejected native capture", () => {
  const issues = [
    { path: "event", message: "event is required." },
    { path: "accountStage", message: "accountStage must be a string." },
  ];

  it("§4.5 keeps its key's message id, valid ids, event and redacted properties, and all reasons", () => {
    const body = {
      accountId: "acme",
      userId: {},
      event: "Hi jo@x.io",
      properties: { email: "a", n: 1 },
      traits: { a: 1 },
    };
    expect(rejectCapture(body, issues, "i1")).toEqual({
      index: 0,
      automatic: false,
      messageId: "i1",
      code: "invalid_message",
      message: "event is required. accountStage must be a string.",
      path: "event",
      kept: {
        type: null,
        messageId: "i1",
        userId: null,
        accountId: "acme",
        event: "hi.redacted",
        properties: { n: 1 },
        traits: null,
      },
    });
  });
  it.each([[null], ["text"], [[]], [{}], [{ userId: " ", event: "a.b" }]])(
    "§4.5 is only counted if it names neither a user nor an account: %j",
    (body) => {
      expect(rejectCapture(body, issues, null).kept).toBeNull();
    },
  );
});
