import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { mapNativeCapture, type NativeCapture, type NativeOptions } from "../../../src/core/ingest/from-native.ts";
import { plantedTree } from "./personal-arbitraries.ts";
import { at, nested, parse, RECEIVED_AT } from "./support.ts";

const OPTIONS: NativeOptions = { receivedAt: RECEIVED_AT, versioned: true, messageId: "key" };
const capture = { accountId: "acme", userId: "u1", event: "report.exported" };

const map = (body: unknown, options: Partial<NativeOptions> = {}): NativeCapture =>
  mapNativeCapture(body, { ...OPTIONS, ...options });
const accepted = (body: unknown, options: Partial<NativeOptions> = {}) => {
  const mapped = map(body, options);
  if (!mapped.ok) throw new Error(JSON.stringify(mapped.issues));
  return mapped;
};
const issues = (body: unknown, options: Partial<NativeOptions> = {}) => {
  const mapped = map(body, options);
  return mapped.ok ? [] : mapped.issues;
};
const issuePaths = (body: unknown, options: Partial<NativeOptions> = {}) =>
  issues(body, options).map(({ path }) => path);

describe("native capture", () => {
  it("§3 becomes the internal message of a track", () => {
    expect(
      accepted({ ...capture, accountId: 7, userId: " u1 ", properties: { a: 1 }, timestamp: at(-60_000) }),
    ).toEqual({
      ok: true,
      message: {
        index: 0,
        type: "track",
        messageId: "key",
        userId: "u1",
        accountId: "7",
        event: "report.exported",
        properties: { a: 1 },
        traits: null,
        attributes: null,
        occurredAt: RECEIVED_AT - 60_000,
        mapping: { accountField: "accountId", timeField: "timestamp" },
      },
      ignored: [],
      redacted: [],
    });
  });
  it.each([[null], [undefined], [1], ["x"], [[]], [[capture]]])("§3 %j is no capture", (body) => {
    expect(issuePaths(body)).toEqual([""]);
  });
  it.each(["accountId", "userId"])("§3 %s is required, by the rule of identifiers", (field) => {
    for (const junk of [undefined, null, "", "  ", {}, 1.5, true, "a\0b", "x".repeat(257)]) {
      expect(issuePaths({ ...capture, [field]: junk })).toEqual([field]);
    }
    accepted({ ...capture, [field]: "x".repeat(256) });
  });
  it.each(["a", "a1", "a_b.c_1.2", "report.exported", "a.b.c.d", "a".repeat(128)])("§3 event: %s is one", (event) => {
    expect(accepted({ ...capture, event }).message.event).toBe(event);
  });
  it.each([undefined, null, "", "A", "1a", "_a", "a.", ".a", "a..b", "a b", "a-b", "é", "a\n", 1, {}, "a".repeat(129)])(
    "§3 event: %j is none",
    (event) => expect(issuePaths({ ...capture, event })).toEqual(["event"]),
  );
  it.each([undefined, null, ""])("§3 event: %j is missing, which the issue says", (event) => {
    expect(issues({ ...capture, event })).toEqual([{ path: "event", message: "event is required." }]);
  });
  it("§3 properties: an object, or nothing", () => {
    expect(accepted(capture).message.properties).toBeNull();
    expect(accepted({ ...capture, properties: null }).message.properties).toBeNull();
    expect(accepted({ ...capture, properties: {} }).message.properties).toEqual({});
    for (const junk of [[], "x", 1, true]) expect(issuePaths({ ...capture, properties: junk })).toEqual(["properties"]);
  });
  it("§3 properties: 32 levels of the capture are fine, 33 are not", () => {
    accepted({ ...capture, properties: nested(31) });
    expect(issuePaths({ ...capture, properties: nested(32) })).toEqual(["properties"]);
    expect(issuePaths({ ...capture, properties: { a: nested(200_000) } })).toEqual(["properties"]);
  });
  it("§3 timestamp: the time of receipt if absent", () => {
    expect(accepted(capture).message.occurredAt).toBe(RECEIVED_AT);
    expect(accepted({ ...capture, timestamp: null }).message.occurredAt).toBe(RECEIVED_AT);
  });
  it("§3 timestamp: ISO 8601 with an offset or Z", () => {
    expect(accepted({ ...capture, timestamp: "2026-01-31T10:00:00+02:00" }).message.occurredAt).toBe(
      Date.UTC(2026, 0, 31, 8),
    );
    for (const junk of ["2026-01-31T10:00:00", "2026-01-31", "2026-02-30T10:00:00Z", "x", "", 1769850000000, {}]) {
      expect(issuePaths({ ...capture, timestamp: junk })).toEqual(["timestamp"]);
    }
  });
  it("§3 timestamp: more than 5 minutes in the future becomes the time of receipt", () => {
    expect(accepted({ ...capture, timestamp: at(300_000) }).message.occurredAt).toBe(RECEIVED_AT + 300_000);
    expect(accepted({ ...capture, timestamp: at(300_001) }).message.occurredAt).toBe(RECEIVED_AT);
  });
  const attributes = {
    accountStage: "trial",
    trialEndsAt: "2026-03-01T00:00:00+01:00",
    accountPlan: "pro",
    accountSeats: 12,
    accountMrr: 99.5,
    accountCurrency: "eur",
  };
  it("§3 attributes: all six on the versioned path", () => {
    expect(accepted({ ...capture, ...attributes })).toMatchObject({
      message: {
        attributes: {
          stage: "trial",
          trialEndsAt: "2026-02-28T23:00:00.000Z",
          plan: "pro",
          seats: 12,
          mrr: 99.5,
          currency: "EUR",
        },
      },
      ignored: [],
    });
  });
  it("§3 attributes: the unversioned path ignores the four that are versioned only, whatever they are", () => {
    const { message, ignored } = accepted({ ...capture, ...attributes, accountSeats: {} }, { versioned: false });
    expect(message.attributes).toEqual({ stage: "trial", trialEndsAt: "2026-02-28T23:00:00.000Z" });
    expect(ignored).toEqual(["accountPlan", "accountSeats", "accountMrr", "accountCurrency"]);
  });
  it("§3 attributes: null clears, an absent one is left", () => {
    const cleared = Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));
    expect(accepted({ ...capture, ...cleared }).message.attributes).toEqual({
      stage: null,
      trialEndsAt: null,
      plan: null,
      seats: null,
      mrr: null,
      currency: null,
    });
    expect(accepted({ ...capture, accountSeats: null }).message.attributes).toEqual({ seats: null });
    expect(accepted({ ...capture, accountStage: null }, { versioned: false }).message.attributes).toEqual({
      stage: null,
    });
  });
  it.each([
    ["accountStage", ["s".repeat(65), 1, {}]],
    ["trialEndsAt", ["soon", "2026-03-01", 1]],
    ["accountPlan", [1, {}, true]],
    ["accountSeats", [-1, 1.5, "12", 2 ** 53]],
    ["accountMrr", [-1, "12", true]],
    ["accountCurrency", ["ABC", "", 1, "EURO"]],
  ])("§3 attributes: an unusable %s is an issue", (field, values) => {
    for (const junk of values) expect(issuePaths({ ...capture, [field]: junk })).toEqual([field]);
  });
  it("§3 ignored: any other field is named, and the event is stored all the same", () => {
    const { message, ignored } = accepted({ type: "page", ...capture, messageId: "x", traits: {}, plan: 1 });
    expect(message).toMatchObject({ type: "track", messageId: "key" });
    expect(ignored).toEqual(["type", "messageId", "traits", "plan"]);
  });
  it("§3 ignored: names are cut at 64 characters, at most 100 of them, without e-mail addresses", () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x${i}`, 1]));
    expect(accepted({ ...capture, ...many }).ignored).toHaveLength(100);
    expect(accepted({ ...capture, ["x".repeat(65)]: 1, "jane@example.com": 1 }).ignored).toEqual([
      "x".repeat(64),
      "[redacted]",
    ]);
    expect(accepted(parse(`{"__proto__":1,${JSON.stringify(capture).slice(1)}`)).ignored).toEqual(["__proto__"]);
    expect(accepted({ ...capture, constructor: 1 }).ignored).toEqual(["constructor"]);
  });
  it("§8 issues: all of them, by field, without any value", () => {
    const value = "qq-value-qq";
    const found = issues({
      accountId: { value },
      event: value,
      properties: value,
      timestamp: value,
      accountStage: value.repeat(9),
      trialEndsAt: value,
      accountPlan: [value],
      accountSeats: value,
      accountMrr: value,
      accountCurrency: value,
    });
    expect(found.map(({ path }) => path).join(" ")).toBe(
      "accountId userId event properties timestamp accountStage trialEndsAt " +
        "accountPlan accountSeats accountMrr accountCurrency",
    );
    for (const { path, message } of found) {
      expect(message).toMatch(new RegExp(`^${path} .*\\.$`));
      expect(message).not.toContain(value);
    }
  });
  it("§5 redaction: in properties and attributes, named by path", () => {
    const { message, redacted } = accepted({
      ...capture,
      properties: { email: "x", name: "kept", note: "jane@example.com" },
      accountStage: "jane@example.com",
      accountPlan: "of jane@example.com",
    });
    expect(message).toMatchObject({
      properties: { name: "kept", note: "[redacted]" },
      attributes: { stage: "[redacted]", plan: "of [redacted]" },
    });
    expect(redacted).toEqual(["properties.email", "properties.note", "accountStage", "accountPlan"]);
    const stage = accepted({ ...capture, accountStage: "a@b.c ".repeat(10) }).message.attributes?.stage;
    expect(stage).toHaveLength(64);
  });
  it("§5 redaction: what has no personal data is not copied", () => {
    const properties = { a: [1] };
    expect(accepted({ ...capture, properties }).message.properties).toBe(properties);
  });
  it("§5 redaction: planted personal data is nowhere in the answer", () => {
    fc.assert(
      fc.property(plantedTree("everywhere"), fc.boolean(), ({ tree, secrets }, versioned) => {
        const stored = JSON.stringify(map({ ...capture, properties: tree, x: tree }, { versioned })).toLowerCase();
        for (const secret of secrets) expect(stored).not.toContain(secret.toLowerCase());
      }),
      { numRuns: 1_000 },
    );
  });
  it("§3 mapping never throws, and answers with issues or a message", () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom("a", "1", 1, null, at(0)));
    const body = fc.record(
      {
        accountId: value,
        userId: value,
        event: value,
        properties: value,
        timestamp: value,
        accountStage: value,
        accountSeats: value,
        trialEndsAt: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), body), fc.boolean(), (any, versioned) => {
        const mapped = map(any, { versioned });
        expect(mapped.ok || (mapped.issues.length > 0 && mapped.issues.length <= 20)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
