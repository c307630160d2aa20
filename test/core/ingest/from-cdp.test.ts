import { describe, expect, it } from "vitest";

import { ACCOUNT_FIELDS } from "../../../src/core/ingest/message.ts";
import { accept, at, messageOfBytes, nested, parse, RECEIVED_AT, reject } from "./support.ts";

const track = { type: "track", userId: "u", event: "Report Exported" };
const group = { type: "group", userId: "u", groupId: "g" };
const sent = { ...track, event: "report.exported" };

describe("a compatibility message", () => {
  it("§4.2 becomes the internal message without the fields that are never stored", () => {
    const message = accept({
      ...track,
      messageId: " m1 ",
      anonymousId: "anon",
      timestamp: at(-1_000),
      properties: { format: "pdf", company_id: 7 },
      traits: { role: "x" },
      context: { ip: "10.0.0.1", library: { name: "x" } },
      integrations: { All: true },
      writeKey: "secret",
    });
    expect(message).toEqual({
      index: 0,
      type: "track",
      messageId: "m1",
      userId: "u",
      accountId: "7",
      event: "report.exported",
      properties: { format: "pdf", company_id: 7 },
      traits: null,
      accountTraits: null,
      attributes: null,
      occurredAt: RECEIVED_AT - 1_000,
      mapping: { sentName: "Report Exported", accountField: "properties.company_id", timeField: "timestamp" },
      redacted: [],
    });
  });
  it("§4.2 has an event and properties only if it is a track", () => {
    const more = { event: "X", properties: { a: 1 } };
    expect(accept({ type: "identify", userId: "u", ...more })).toMatchObject({ event: null, properties: null });
    expect(accept({ ...group, ...more })).toMatchObject({ event: null, properties: null, mapping: {} });
    expect(accept(track).properties).toBeNull();
    expect(accept({ ...track, properties: {} }).properties).toEqual({});
  });
  it.each([[null], [1], ["x"], [[track]]])("§4.2 is not %j", (raw) => {
    expect(reject(raw)).toMatchObject({ code: "invalid_message", path: null, messageId: null });
  });
  it.each(["properties", "traits"])("§4.2 has an object in %s, or PHP's empty one", (field) => {
    for (const fine of [null, {}, []]) accept({ ...track, [field]: fine });
    for (const junk of ["x", 1, true, [1]]) {
      expect(reject({ ...track, [field]: junk })).toMatchObject({ code: "invalid_message", path: field });
    }
  });
  it("§4.2 may have anything in context", () => {
    for (const context of [null, "x", 1, [], {}]) expect(accept({ ...track, context }).userId).toBe("u");
  });
});

describe("the type of a message", () => {
  it.each(["page", "screen", "alias", "delete", "track ", "", 1, {}, null, undefined])(
    "§4.2 %j is unsupported and only counted",
    (type) => {
      const rejection = reject({ ...track, type, messageId: "m" });
      expect(rejection).toMatchObject({ code: "unsupported_type", path: "type", messageId: "m", kept: null });
    },
  );
  it.each(["Identify", "IDENTIFY", "iDENTIFY"])("§4.2 is read from %s, in any letter case", (type) => {
    expect(accept({ ...track, type }).type).toBe("identify");
    expect(accept({ ...track, type }, { pathType: "identify" }).type).toBe("identify");
    expect(reject({ ...track, type: "Page" })).toMatchObject({ code: "unsupported_type", automatic: true });
    const context = { traits: { accountId: "acme", role: "admin" } };
    const kept = { type, accountId: "acme", traits: { role: "admin" } };
    expect(reject({ type, userId: "u", context, timestamp: 1 })).toMatchObject({ path: "timestamp", kept });
  });
  it("§1 comes from the path if it is missing", () => {
    const { type: _, ...untyped } = track;
    expect(accept({ ...untyped, type: null }, { pathType: "identify" }).type).toBe("identify");
    expect(reject(untyped, { pathType: "page" })).toMatchObject({ code: "unsupported_type", path: "type", kept: null });
  });
  it("§1 must not contradict the path", () => {
    expect(accept(track, { pathType: "track" }).type).toBe("track");
    for (const type of ["identify", "page", 1, ""]) {
      expect(reject({ ...track, type }, { pathType: "track" })).toMatchObject({
        code: "invalid_message",
        path: "type",
      });
    }
  });
});

describe("the limits of a message", () => {
  it("§4.1 16 KB fit, one more byte is message_too_large", () => {
    accept(messageOfBytes(16_384));
    expect(reject(messageOfBytes(16_385)).code).toBe("message_too_large");
  });
  it("§4.5 the rejection names the largest field, without personal data", () => {
    const pad = "x".repeat(20_000);
    expect(reject({ ...track, traits: { ["k".repeat(80)]: pad } }).path).toBe(`traits.${"k".repeat(64)}`);
    expect(reject({ ...track, properties: { "jane@example.com": pad } }).path).toBe("properties.[redacted]");
    expect(reject({ ...track, properties: [pad] }).path).toBe("properties");
    expect(reject({ ...track, pad }).path).toBe("pad");
  });
  it("§4.2 is invalid if a number doesn't fit into a double, and the rejection names and shows it", () => {
    const fields = `"type":"track","userId":"u","event":"e"`;
    expect(reject(parse(`{${fields},"properties":{"a":[1,{"b":-1e400}]}}`))).toMatchObject({
      code: "invalid_message",
      message: "properties.a.1.b must be a number that fits into a double.",
      path: "properties.a.1.b",
      kept: { userId: "u", properties: { a: [1, { b: "-Infinity" }] } },
    });
    for (const [part, path] of [
      [`"traits":{"x":1e309}`, "traits.x"],
      [`"context":{"traits":{"x":${"9".repeat(400)}}}`, "context.traits.x"],
      [`"properties":{"a@b.co":1e400}`, "properties.[redacted]"],
      [`"accountMrr":1e400`, "accountMrr"],
    ] as const) {
      expect(reject(parse(`{${fields},${part}}`))).toMatchObject({ code: "invalid_message", path });
    }
    expect(accept(parse(`{${fields},"properties":{"a":1e308,"b":1e-400}}`)).properties).toEqual({ a: 1e308, b: 0 });
    expect(
      reject(parse(`{${fields},"properties":{"a":1e400,"b":${"[".repeat(40)}${"]".repeat(40)}}}`)).path,
    ).toBeNull();
  });
  it("§4.1 32 levels fit, 33 are invalid", () => {
    accept({ ...track, properties: nested(31) });
    expect(reject({ ...track, properties: nested(32) })).toMatchObject({ code: "invalid_message", path: null });
  });
  it("checks the type first, then depth, size and identifiers", () => {
    expect(reject({ ...messageOfBytes(20_000), type: "page", traits: nested(40) }).code).toBe("unsupported_type");
    expect(reject({ ...messageOfBytes(20_000), traits: nested(32) }).code).toBe("invalid_message");
    expect(reject({ ...messageOfBytes(20_000), userId: {} }).code).toBe("message_too_large");
  });
});

/** Returns the message with a value at a path. */
function put(message: object, path: string, value: unknown): object {
  const [first = "", ...rest] = path.split(".");
  const inner: unknown = Reflect.get(message, first);
  const old = typeof inner === "object" && inner !== null ? inner : {};
  return { ...message, [first]: rest.length === 0 ? value : put(old, rest.join("."), value) };
}

it.each(["events", "Batch", "messages", "json", "data"])(
  "§4.1 says what the body of several messages is, if they are in a field %s",
  (field) => expect(reject({ [field]: [track] }).message).toContain('{"batch": [messages]} or an array'),
);

describe("the ids of a message", () => {
  it("§4.2 are trimmed; integers become strings; null and blank strings are absent", () => {
    const message = accept({ ...track, userId: 12, accountId: " acme ", messageId: "" });
    expect(message).toMatchObject({ userId: "12", accountId: "acme", messageId: "made" });
    expect(accept({ ...track, userId: " ", accountId: "a", messageId: null })).toMatchObject({ userId: null });
  });
  it.each(["messageId", "userId", "accountId", "company_id", "account_id", "group_id"])(
    "§4.2 make the message invalid if %s is unusable",
    (field) => {
      for (const junk of [{}, 1.5, "a\0b", "x".repeat(257)]) {
        expect(reject({ ...track, [field]: junk })).toMatchObject({ code: "invalid_message", path: field });
      }
    },
  );
  it("§4.2 don't include anonymousId", () => {
    expect(accept({ ...track, anonymousId: "a" }).userId).toBe("u");
    expect(reject({ ...track, userId: undefined, anonymousId: "a" }).path).toBe("userId");
  });
  it("§4.2 are generated only for an accepted message without messageId", () => {
    let made = 0;
    const newMessageId = () => `made-${(made += 1)}`;
    expect(accept(track, { newMessageId }).messageId).toBe("made-1");
    accept({ ...track, messageId: "m" }, { newMessageId });
    expect(reject({ ...track, event: 1 }, { newMessageId }).messageId).toBeNull();
    expect(made).toBe(1);
  });
  it("§5 are kept as sent, even if they are e-mail addresses", () => {
    const traits = { company: { id: "a@example.com" } };
    const message = accept({ ...track, userId: "jane@example.com", messageId: "m@example.com", traits });
    expect(message).toMatchObject({
      userId: "jane@example.com",
      messageId: "m@example.com",
      accountId: "a@example.com",
    });
  });
});

describe("the account of a message", () => {
  /** Every place of an account, in the order in which they are read. */
  const KEYS = ["accountId", "company_id", "account_id", "group_id"];
  const PLACES = [
    ...["properties", "traits", "context.traits", "", "context"].flatMap((place) => KEYS.map((key) => [place, key])),
    ["context", "groupId"],
    ["traits.company", "id"],
    ["context.traits.company", "id"],
    ...["", "properties", "traits", "context.traits", "context"].flatMap((place) => [
      ...(place === "context" ? [] : [[place, "groupId"]]),
      [place, "companyId"],
    ]),
  ].map(([place, key]) => [place, key].filter((part) => part !== "").join("."));
  const neighbors = PLACES.slice(1).map((path, i) => [PLACES[i] ?? "", path] as const);

  const identify = { type: "identify", userId: "u" };

  it.each(PLACES)("§4.2 may be named by %s, whatever the type, and the mapping says so", (path) => {
    const named = { accountId: "acme", mapping: { accountField: path } };
    expect(accept(put(sent, path, "acme"))).toMatchObject(named);
    expect(reject(put(sent, path, {}))).toMatchObject({ code: "invalid_message", path });
    expect(accept(put(identify, path, "acme"))).toMatchObject(named);
    expect(accept(put(identify, path, 42)).accountId).toBe("42");
    expect(accept(put({ type: "group" }, path, "acme")).accountId).toBe("acme");
  });
  it("has a place for each field of a mapping", () => {
    expect(PLACES.toSorted()).toEqual(ACCOUNT_FIELDS.toSorted());
  });
  it.each(neighbors)("§4.2 is read from %s before %s", (first, second) => {
    expect(accept(put(put(identify, second, "second"), first, "first")).accountId).toBe("first");
    expect(accept(put(put(identify, second, "second"), first, " ")).accountId).toBe("second");
  });
  it.each(neighbors)("§4.2 is invalid if %s is unusable, even with a usable %s", (first, second) => {
    expect(reject(put(put(identify, second, "second"), first, {}))).toMatchObject({
      code: "invalid_message",
      path: first,
    });
    expect(accept(put(put(identify, second, {}), first, "first")).accountId).toBe("first");
  });
  it("§4.2 is the groupId of a group first, and that of other messages only if nothing else names it", () => {
    expect(accept({ ...group, properties: { accountId: "a" } })).toMatchObject({
      accountId: "g",
      mapping: { accountField: "groupId" },
    });
    expect(accept({ ...track, groupId: {}, properties: { accountId: "a" } }).accountId).toBe("a");
    expect(reject({ ...group, groupId: {}, properties: { accountId: "a" } }).path).toBe("groupId");
  });
  it("§4.2 is not the name of a company", () => {
    expect(accept({ ...track, traits: { company: "Acme" } }).accountId).toBeNull();
    expect(accept({ ...track, traits: { company: { name: "Acme" } } }).accountId).toBeNull();
  });
  it("§4.2 is required for a group", () => {
    expect(reject({ ...group, groupId: null })).toMatchObject({ code: "invalid_message", path: "groupId" });
  });
  it("§4.3.7 is enough without a user", () => {
    for (const type of ["track", "identify", "group"]) {
      expect(accept({ type, event: "e", accountId: "a" })).toMatchObject({ userId: null, accountId: "a" });
    }
  });
  it.each(["track", "identify"])("§4.3.7 or a user is required for a %s, which is otherwise only counted", (type) => {
    const rejection = reject({ type, event: "e", messageId: "m", properties: { a: 1 } });
    expect(rejection).toMatchObject({ code: "invalid_message", path: "userId", messageId: "m", kept: null });
  });
});

describe("the event of a track", () => {
  it.each([1, {}, true, "!!!", "_"])("§4.2 is not %j", (event) => {
    expect(reject({ ...track, event })).toMatchObject({ code: "invalid_message", path: "event" });
  });
  it.each([undefined, null, ""])("§4.2 is missing if it is %j", (event) => {
    expect(reject({ ...track, event }).message).toBe("event is missing.");
  });
  it("§4.2 has at most 256 characters as sent, and 128 once mapped", () => {
    expect(accept({ ...track, event: `a${"!".repeat(255)}` }).event).toBe("a");
    expect(reject({ ...track, event: `a${"!".repeat(256)}` }).path).toBe("event");
    expect(accept({ ...track, event: "a".repeat(128) }).event).toHaveLength(128);
    expect(reject({ ...track, event: "a".repeat(129) }).path).toBe("event");
  });
  it("§4.2 is kept as sent, if it is stored under another name", () => {
    expect(accept(sent).mapping).toEqual({});
    expect(accept({ ...track, event: " report.exported " }).mapping).toEqual({ sentName: " report.exported " });
  });
  it("§5 loses its e-mail address before it is mapped, and in the name as sent", () => {
    expect(accept({ ...track, event: "Invited jane@example.com" })).toMatchObject({
      event: "invited.redacted",
      mapping: { sentName: "Invited [redacted]" },
      redacted: ["event"],
    });
    // `[redacted]` is longer than the addresses.
    expect(accept({ ...track, event: "a@b.c,".repeat(13).padEnd(256, "!") }).mapping.sentName).toHaveLength(256);
  });
});

it("§5 a message names everything that was removed: in the event, properties, traits and attributes", () => {
  const message = accept({
    ...track,
    event: "x jane@example.com",
    properties: { email: "x", list: [{ ip: 1 }] },
    traits: { name: "x" },
    accountPlan: "jane@example.com",
  });
  expect(message.redacted).toEqual(["event", "properties.email", "properties.list.0.ip", "traits.name", "accountPlan"]);
  expect(message.properties).toEqual({ list: [{}] });
});
