import { describe, expect, it } from "vitest";

import { mapNativeCapture, type NativeCapture, type NativeOptions } from "../../../src/core/ingest/from-native.ts";
import { at, nested, parse, RECEIVED_AT } from "./support.ts";

const OPTIONS: NativeOptions = { receivedAt: RECEIVED_AT, versioned: true, messageId: "key" };
const UNVERSIONED = { versioned: false };
const capture = { accountId: "acme", userId: "u1", event: "report.exported" };

const map = (body: unknown, options: Partial<NativeOptions> = {}): NativeCapture =>
  mapNativeCapture(body, { ...OPTIONS, ...options });
const accepted = (fields: object, options: Partial<NativeOptions> = {}) => {
  const mapped = map({ ...capture, ...fields }, options);
  if (!mapped.ok) throw new Error(JSON.stringify(mapped.issues));
  return mapped;
};
const issues = (body: unknown) => {
  const mapped = map(body);
  return mapped.ok ? [] : mapped.issues;
};
const issuePaths = (fields: object) => issues({ ...capture, ...fields }).map(({ path }) => path);

const attributes = {
  accountStage: "trial",
  trialEndsAt: "2026-03-01T00:00:00+01:00",
  accountPlan: "pro",
  accountSeats: 12,
  accountMrr: 99.5,
  accountCurrency: "eur",
  accountContractEndsAt: "2027-01-31T00:00:00+01:00",
};

describe("a native capture", () => {
  it("§3 becomes the internal message of a track", () => {
    expect(accepted({ accountId: 7, userId: " u1 ", properties: { a: 1 }, timestamp: at(-60_000) })).toEqual({
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
        accountTraits: null,
        attributes: null,
        occurredAt: RECEIVED_AT - 60_000,
        mapping: { accountField: "accountId", timeField: "timestamp" },
      },
      ignored: [],
      redacted: [],
    });
  });
  it.each([[null], [1], ["x"], [[capture]]])("§3 is not %j", (body) => {
    expect(issues(body)).toMatchObject([{ path: "" }]);
  });
  it.each(["accountId", "userId"])("§3 requires %s, by the rule of identifiers", (field) => {
    for (const junk of [undefined, null, "  ", {}, "x".repeat(257)]) {
      expect(issuePaths({ [field]: junk })).toEqual([field]);
    }
  });
  it.each(["a", "a1", "a_b.c_1.2", "a".repeat(128)])("§3 accepts the event %s", (event) => {
    expect(accepted({ event }).message.event).toBe(event);
  });
  it.each(["A", "1a", "_a", "a.", ".a", "a..b", "a b", "a-b", "é", "a\n", 1, {}, "a".repeat(129)])(
    "§3 refuses the event %j",
    (event) => expect(issuePaths({ event })).toEqual(["event"]),
  );
  it.each([undefined, null, ""])("§3 requires an event, which %j is not", (event) => {
    expect(issues({ ...capture, event })).toEqual([{ path: "event", message: "event is required." }]);
  });
  it("§3 has an object in properties, or nothing", () => {
    expect(accepted({}).message.properties).toBeNull();
    expect(accepted({ properties: null }).message.properties).toBeNull();
    expect(accepted({ properties: {} }).message.properties).toEqual({});
    for (const junk of [[], "x", 1, true]) expect(issuePaths({ properties: junk })).toEqual(["properties"]);
  });
  it("§3 is nested at most 32 levels deep", () => {
    accepted({ properties: nested(31) });
    expect(issuePaths({ properties: nested(32) })).toEqual(["properties"]);
  });
  it("§4.2 keeps all digits of integers, and refuses numbers that don't fit into a double by name", () => {
    const large = parse(`{"accountId":"a","userId":"u","event":"e","properties":{"a":[{"n":-9223372036854775808}]}}`);
    expect(map(large)).toMatchObject({
      message: { properties: { a: [{ n: "-9223372036854775808" }] } },
    });
    expect(issues({ ...capture, properties: parse('{"a":[{"n":1e400}]}') })).toEqual([
      { path: "properties.a.0.n", message: "properties.a.0.n must be a number that fits into a double." },
    ]);
    expect(issues(parse('{"accountId":1524831183200260097,"userId":"u","event":"e"}'))).toEqual([
      { path: "accountId", message: "accountId must be at most 2^53 - 1, or a string." },
    ]);
  });
  it.each([
    [undefined, 0, { accountField: "accountId" }],
    [null, 0, { accountField: "accountId" }],
    ["2026-01-31T12:00:00+02:00", -7_200_000, { accountField: "accountId", timeField: "timestamp" }],
    [at(300_000), 300_000, { accountField: "accountId", timeField: "timestamp" }],
    [at(300_001), 0, { accountField: "accountId", timeField: "timestamp", replaced: "future" }],
    ["0001-01-01T00:00:00Z", 0, { accountField: "accountId", unsetField: "timestamp" }],
    ["1970-01-01T05:30:00+05:30", 0, { accountField: "accountId", unsetField: "timestamp" }],
    ["-000001-01-01T00:00:00Z", 0, { accountField: "accountId", unsetField: "timestamp" }],
    ["0000-00-00T00:00:00Z", 0, { accountField: "accountId", unsetField: "timestamp" }],
    ["0000-00-00 00:00:00", 0, { accountField: "accountId", unsetField: "timestamp" }],
    ["0000-00-00", 0, { accountField: "accountId", unsetField: "timestamp" }],
    ["-0001-11-30T00:00:00+00:00", 0, { accountField: "accountId", unsetField: "timestamp" }],
    ["9999-12-31T23:59:59-05:00", 0, { accountField: "accountId", timeField: "timestamp", replaced: "future" }],
  ])("§3 with the timestamp %s occurred %i ms after receipt", (timestamp, ms, mapping) => {
    expect(accepted({ timestamp }).message).toMatchObject({ occurredAt: RECEIVED_AT + ms, mapping });
  });
  it.each(["2026-01-31T10:00:00", "", 1769850000000, {}])("§3 refuses the timestamp %j", (timestamp) => {
    expect(issues({ ...capture, timestamp })).toMatchObject([
      { path: "timestamp", message: expect.stringMatching(/a string such as 2026-11-20T09:00:00Z, not a number/) },
    ]);
  });
});

describe("the attributes of a native capture", () => {
  it.each(["", "  ", "\t\n"])("§3 are refused if they are the blank text %j", (blank) => {
    const blanks = Object.fromEntries(Object.keys(attributes).map((name) => [name, blank]));
    expect(issuePaths(blanks).toSorted()).toEqual(Object.keys(attributes).toSorted());
  });
  it("§3 are all seven on the versioned path", () => {
    expect(accepted(attributes)).toMatchObject({
      message: {
        attributes: {
          stage: "trial",
          trialEndsAt: "2026-02-28T23:00:00.000Z",
          plan: "pro",
          seats: 12,
          mrr: 99.5,
          currency: "EUR",
          contractEndsAt: "2027-01-30T23:00:00.000Z",
        },
      },
      ignored: [],
    });
  });
  it("§3 are two on the unversioned path, which ignores the others", () => {
    const { message, ignored } = accepted({ ...attributes, accountSeats: {} }, UNVERSIONED);
    expect(message.attributes).toEqual({ stage: "trial", trialEndsAt: "2026-02-28T23:00:00.000Z" });
    expect(ignored).toEqual(["accountPlan", "accountSeats", "accountMrr", "accountCurrency", "accountContractEndsAt"]);
  });
  it("§3 are cleared by null, and stay if they are absent", () => {
    const cleared = Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));
    const names = {
      stage: null,
      trialEndsAt: null,
      plan: null,
      seats: null,
      mrr: null,
      currency: null,
      contractEndsAt: null,
    };
    expect(accepted(cleared).message.attributes).toEqual(names);
    expect(accepted({ accountSeats: null }).message.attributes).toEqual({ seats: null });
  });
  it.each(["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "0000-00-00"])(
    "§3 stay as they are if trialEndsAt is %s: no time",
    (trialEndsAt) => {
      expect(accepted({ trialEndsAt })).toMatchObject({ message: { attributes: null }, ignored: [] });
      expect(accepted({ trialEndsAt, accountSeats: 2 }).message.attributes).toEqual({ seats: 2 });
    },
  );
  it.each([
    ["accountStage", "s".repeat(65)],
    ["trialEndsAt", "2026-03-01"],
    ["accountPlan", 1],
    ["accountSeats", "12"],
    ["accountMrr", "12"],
    ["accountCurrency", "ABC"],
    ["accountContractEndsAt", "2027-01-31"],
  ])("§3 don't include an unusable %s", (field, junk) => expect(issuePaths({ [field]: junk })).toEqual([field]));
});

describe("the answer to a native capture", () => {
  it("§3 names the fields that are ignored", () => {
    const { message, ignored } = accepted({ type: "page", messageId: "x", traits: {}, constructor: 1 });
    expect(message).toMatchObject({ type: "track", messageId: "key" });
    expect(ignored).toEqual(["type", "messageId", "traits", "constructor"]);
    expect(accepted(parse('{"__proto__":1}')).ignored).toEqual(["__proto__"]);
  });
  it("§3 names at most 100 of them, cut at 64 characters and without e-mail addresses", () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x${i}`, 1]));
    expect(accepted(many).ignored).toHaveLength(100);
    const odd = { ["x".repeat(65)]: 1, "jane@example.com": 1 };
    expect(accepted(odd).ignored).toEqual(["x".repeat(64), "[redacted]"]);
  });
  it("§8 lists all issues by field, without any value", () => {
    const value = "qq-value-qq";
    const junk = Object.fromEntries(
      Object.keys({ ...attributes, timestamp: 0, properties: 0 }).map((key) => [key, [value]]),
    );
    const found = issues({ accountId: { value }, event: value, ...junk });
    expect(found.map(({ path }) => path).join(" ")).toBe(
      "accountId userId event properties timestamp accountStage trialEndsAt " +
        "accountPlan accountSeats accountMrr accountCurrency accountContractEndsAt",
    );
    for (const { path, message } of found) {
      expect(message).toMatch(new RegExp(`^${path} .*\\.$`));
      expect(message).not.toContain(value);
    }
  });
  it("§5 names what was removed from properties and attributes", () => {
    const { message, redacted } = accepted({
      properties: { email: "x", name: "kept", note: "jane@example.com" },
      accountStage: "jane@example.com",
      accountPlan: "of jane@example.com",
    });
    expect(message).toMatchObject({
      properties: { name: "kept", note: "[redacted]" },
      attributes: { stage: "[redacted]", plan: "of [redacted]" },
    });
    expect(redacted).toEqual(["properties.email", "properties.note", "accountStage", "accountPlan"]);
    const stage = accepted({ accountStage: "a@b.c ".repeat(10) }).message.attributes?.stage;
    expect(stage).toHaveLength(64);
  });
});
