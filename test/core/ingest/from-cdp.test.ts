import { describe, expect, it } from "vitest";

import { accept, at, messageOfBytes, nested, RECEIVED_AT, reject } from "./support.ts";

const track = { type: "track", userId: "u", event: "Report Exported" };
const group = { type: "group", userId: "u", groupId: "g" };

describe("a compatibility message", () => {
  it("§4.2 becomes the internal message, bar what is never stored", () => {
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
      attributes: null,
      occurredAt: RECEIVED_AT - 1_000,
      mapping: { sentName: "Report Exported", accountField: "properties.company_id", timeField: "timestamp" },
      redacted: [],
    });
  });
  it("§4.2 type: only a track has an event and properties", () => {
    const more = { event: "X", properties: { a: 1 } };
    expect(accept({ type: "identify", userId: "u", ...more })).toMatchObject({ event: null, properties: null });
    expect(accept({ ...group, ...more })).toMatchObject({ event: null, properties: null });
    expect(accept(track).properties).toBeNull();
    expect(accept({ ...track, properties: {} }).properties).toEqual({});
  });
  it.each([[null], [undefined], [1], ["x"], [true], [[]], [[track]]])("§4.2 %j is no message", (raw) => {
    expect(reject(raw)).toMatchObject({ code: "invalid_message", path: null, messageId: null });
  });
  it.each(["properties", "traits"])("§4.2 %s must be an object, or PHP's empty one", (field) => {
    for (const fine of [null, {}, []]) accept({ ...track, [field]: fine });
    for (const junk of ["x", 1, true, [1]]) {
      expect(reject({ ...track, [field]: junk })).toMatchObject({ code: "invalid_message", path: field });
    }
  });
  it("§4.2 context may be anything", () => {
    for (const context of [null, "x", 1, [], {}]) expect(accept({ ...track, context }).userId).toBe("u");
  });
});

describe("the type of a message", () => {
  it.each(["page", "screen", "alias", "delete", "Track", "", 1, {}, null, undefined])(
    "§4.2 type: %j is unsupported, and only counted",
    (type) => {
      const rejection = reject({ ...track, type, messageId: "m" });
      expect(rejection).toMatchObject({ code: "unsupported_type", path: "type", messageId: "m", kept: null });
    },
  );
  it("§1 type: the path supplies a missing one", () => {
    const { type: _, ...untyped } = track;
    expect(accept(untyped, { pathType: "track" }).type).toBe("track");
    expect(accept({ ...untyped, type: null }, { pathType: "identify" }).type).toBe("identify");
    expect(reject(untyped, { pathType: "page" })).toMatchObject({ code: "unsupported_type", path: "type", kept: null });
  });
  it("§1 type: one that contradicts the path is invalid", () => {
    expect(accept(track, { pathType: "track" }).type).toBe("track");
    for (const type of ["identify", "page", 1, ""]) {
      expect(reject({ ...track, type }, { pathType: "track" })).toMatchObject({
        code: "invalid_message",
        path: "type",
      });
    }
  });
  it("§4.2 type: comes before depth and size", () => {
    expect(reject({ ...messageOfBytes(20_000), type: "page" }).code).toBe("unsupported_type");
    expect(reject({ ...track, type: "page", properties: { a: nested(40) } }).code).toBe("unsupported_type");
  });
});

describe("the limits of a message", () => {
  it("§4.1 size: 16 KB fit, a byte more is message_too_large", () => {
    accept(messageOfBytes(16_384));
    accept(messageOfBytes(16_384, "é"));
    expect(reject(messageOfBytes(16_385)).code).toBe("message_too_large");
    expect(reject(messageOfBytes(16_385, "é")).code).toBe("message_too_large");
  });
  it("§4.5 size: the largest field is named, without personal data", () => {
    expect(reject(messageOfBytes(20_000)).path).toBe("properties.pad");
    const pad = "x".repeat(20_000);
    expect(reject({ ...track, traits: { ["k".repeat(80)]: pad } }).path).toBe(`traits.${"k".repeat(64)}`);
    expect(reject({ ...track, properties: { "jane@example.com": pad } }).path).toBe("properties.[redacted]");
    expect(reject({ ...track, properties: [pad] }).path).toBe("properties");
    expect(reject({ ...track, pad }).path).toBe("pad");
  });
  it("§4.1 depth: 32 levels fit, 33 are invalid", () => {
    accept({ ...track, properties: nested(31) });
    expect(reject({ ...track, properties: nested(32) })).toMatchObject({ code: "invalid_message", path: null });
  });
  it("§4.1 depth: comes before size", () => {
    expect(reject({ ...messageOfBytes(20_000), traits: nested(32) }).code).toBe("invalid_message");
  });
  it("§4.1 size: comes before the identifiers", () => {
    expect(reject({ ...messageOfBytes(20_000), userId: {} }).code).toBe("message_too_large");
  });
});

/** The message with a value at a path, made where it is not there. */
function put(message: object, path: string, value: unknown): object {
  const [first = "", ...rest] = path.split(".");
  const inner: unknown = Reflect.get(message, first);
  const old = typeof inner === "object" && inner !== null ? inner : {};
  return { ...message, [first]: rest.length === 0 ? value : put(old, rest.join("."), value) };
}

describe("who a message speaks of", () => {
  it("§4.2 identifiers: are trimmed, integers are strings, null and blank are absent", () => {
    const message = accept({ ...track, userId: 12, accountId: " acme ", messageId: "" });
    expect(message).toMatchObject({ userId: "12", accountId: "acme", messageId: "made" });
    expect(accept({ ...track, userId: " ", accountId: "a", messageId: null })).toMatchObject({ userId: null });
  });
  it.each(["messageId", "userId", "accountId", "company_id", "account_id", "group_id"])(
    "§4.2 identifiers: an unusable %s is invalid",
    (field) => {
      for (const junk of [{}, [], 1.5, 2 ** 53, true, "a\0b", "x".repeat(257)]) {
        expect(reject({ ...track, [field]: junk })).toMatchObject({ code: "invalid_message", path: field });
      }
    },
  );
  it("§4.2 messageId: 256 characters are fine, 257 are not", () => {
    expect(accept({ ...track, messageId: "m".repeat(256) }).messageId).toHaveLength(256);
    expect(reject({ ...track, messageId: "m".repeat(257) }).path).toBe("messageId");
  });
  it("§4.2 user: anonymousId names nobody", () => {
    expect(accept({ ...track, anonymousId: "a" }).userId).toBe("u");
    expect(reject({ ...track, userId: undefined, anonymousId: "a" }).path).toBe("userId");
  });

  /** Every place of an account, in the order in which they are looked at. */
  const KEYS = ["accountId", "company_id", "account_id", "group_id"];
  const PLACES = [
    ...["properties", "traits", "", "context"].flatMap((place) => KEYS.map((key) => [place, key])),
    ["context", "groupId"],
    ["traits.company", "id"],
  ].map(([place, key]) => [place, key].filter((part) => part !== "").join("."));

  it.each(PLACES)("§4.2 account: %s names it, of every type", (path) => {
    expect(accept(put(track, path, "acme")).accountId).toBe("acme");
    expect(accept(put({ type: "identify", userId: "u" }, path, 42)).accountId).toBe("42");
    expect(accept(put({ type: "group" }, path, "acme")).accountId).toBe("acme");
  });
  it.each(PLACES.slice(1).map((path, i) => [PLACES[i] ?? "", path]))(
    "§4.2 account: %s goes before %s",
    (first, second) => {
      expect(accept(put(put(track, second, "second"), first, "first")).accountId).toBe("first");
      expect(accept(put(put(track, second, "second"), first, null)).accountId).toBe("second");
      expect(accept(put(put(track, second, "second"), first, " ")).accountId).toBe("second");
    },
  );
  it.each(PLACES.slice(1).map((path, i) => [PLACES[i] ?? "", path]))(
    "§4.2 account: an unusable %s is not passed over for %s, one after the first found is not looked at",
    (first, second) => {
      expect(reject(put(put(track, second, "second"), first, {}))).toMatchObject({
        code: "invalid_message",
        path: first,
      });
      expect(accept(put(put(track, second, {}), first, "first")).accountId).toBe("first");
    },
  );
  it("§4.2 account: a group's groupId goes before all, and a track's is none", () => {
    expect(accept({ ...group, properties: { accountId: "a" } }).accountId).toBe("g");
    expect(accept({ ...track, groupId: "g" }).accountId).toBeNull();
    expect(accept({ ...track, groupId: {} }).accountId).toBeNull();
    expect(reject({ ...group, groupId: {}, properties: { accountId: "a" } }).path).toBe("groupId");
  });
  it("§4.2 account: a company that is a name names no account", () => {
    expect(accept({ ...track, traits: { company: "Acme" } }).accountId).toBeNull();
    expect(accept({ ...track, traits: { company: { name: "Acme" } } }).accountId).toBeNull();
  });
  it("§4.2 account: a group without one is invalid", () => {
    expect(reject({ ...group, groupId: null })).toMatchObject({ code: "invalid_message", path: "groupId" });
  });
  it("§4.3.7 a message with an account and no user is valid", () => {
    for (const type of ["track", "identify", "group"]) {
      expect(accept({ type, event: "e", accountId: "a" })).toMatchObject({ userId: null, accountId: "a" });
    }
  });
  it.each(["track", "identify"])("§4.3.7 a %s with neither is invalid, and only counted", (type) => {
    const rejection = reject({ type, event: "e", messageId: "m", properties: { a: 1 } });
    expect(rejection).toMatchObject({ code: "invalid_message", path: "userId", messageId: "m", kept: null });
  });
});

describe("the event of a track", () => {
  it.each([undefined, null, "", 1, {}, true, "!!!", "_"])("§4.2 event: %j is invalid", (event) => {
    expect(reject({ ...track, event })).toMatchObject({ code: "invalid_message", path: "event" });
  });
  it.each([undefined, null, ""])("§4.2 event: %j is missing, which the reason says", (event) => {
    expect(reject({ ...track, event }).message).toBe("event is missing.");
  });
  it("§4.2 event: 256 characters as sent are fine, 257 are not", () => {
    expect(accept({ ...track, event: `a${"!".repeat(255)}` }).event).toBe("a");
    expect(reject({ ...track, event: `a${"!".repeat(256)}` }).path).toBe("event");
  });
  it("§4.2 event: 128 characters once mapped are fine, 129 are not", () => {
    expect(accept({ ...track, event: "a".repeat(128) }).event).toHaveLength(128);
    expect(reject({ ...track, event: "a".repeat(129) }).path).toBe("event");
  });
  it("§5 event: an e-mail address in it is removed before it is mapped, and named", () => {
    const message = accept({ ...track, event: "Invited jane@example.com" });
    expect(message).toMatchObject({ event: "invited.redacted", redacted: ["event"] });
  });
});

describe("the rest of a message", () => {
  it("§4.2 time: an unreadable timestamp is invalid", () => {
    expect(reject({ ...track, timestamp: "soon" })).toMatchObject({ code: "invalid_message", path: "timestamp" });
  });
  it("§4.2 time: the batch's sentAt is used", () => {
    const message = { ...track, originalTimestamp: at(3_600_000) };
    expect(accept(message, { batchSentAt: RECEIVED_AT + 7_200_000 }).occurredAt).toBe(RECEIVED_AT - 3_600_000);
  });
  it("§5 redaction: what is removed is named, in properties, traits and attributes", () => {
    const message = accept({
      ...track,
      event: "x jane@example.com",
      properties: { email: "x", list: [{ ip: 1 }] },
      traits: { name: "x" },
      accountPlan: "jane@example.com",
    });
    expect(message.redacted).toEqual([
      "event",
      "properties.email",
      "properties.list.0.ip",
      "traits.name",
      "accountPlan",
    ]);
    expect(message.properties).toEqual({ list: [{}] });
  });
  it("§5 identifiers: are kept as given, even when they are e-mail addresses", () => {
    const message = accept({
      ...track,
      userId: "jane@example.com",
      messageId: "m@example.com",
      traits: { company: { id: "a@example.com" } },
    });
    expect(message).toMatchObject({
      userId: "jane@example.com",
      messageId: "m@example.com",
      accountId: "a@example.com",
    });
  });
  it("what has no personal data is not copied", () => {
    const properties = { a: { b: [1] } };
    expect(accept({ ...track, properties }).properties).toBe(properties);
    const traits = { a: { b: [1] } };
    expect(accept({ type: "identify", userId: "u", traits }).traits).toBe(traits);
  });
  it("§4.2 messageId: one is made only for an accepted message without one", () => {
    let made = 0;
    const newMessageId = () => `made-${(made += 1)}`;
    expect(accept(track, { newMessageId }).messageId).toBe("made-1");
    accept({ ...track, messageId: "m" }, { newMessageId });
    expect(reject({ ...track, event: 1 }, { newMessageId }).messageId).toBeNull();
    expect(made).toBe(1);
  });
});
