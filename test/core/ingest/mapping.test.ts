/** What is kept of how a message was mapped. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { mapEventName } from "../../../src/core/ingest/event-name.ts";
import { MAX_RAW_EVENT_CHARACTERS } from "../../../src/core/ingest/from-cdp.ts";
import { mapNativeCapture } from "../../../src/core/ingest/from-native.ts";
import { ACCOUNT_FIELDS, type Mapping } from "../../../src/core/ingest/mapping.ts";
import { plantedTree } from "./personal-arbitraries.ts";
import { accept, at, RECEIVED_AT } from "./support.ts";

const HOUR = 3_600_000;
const track = { type: "track", userId: "u1", event: "report.exported" };
const mapped = (fields: object, batchSentAt: number | null = null): Mapping =>
  accept({ ...track, ...fields }, { batchSentAt }).mapping;

describe("the name of the event", () => {
  it("§4.2 is kept as it was sent where it is stored as another one", () => {
    expect(mapped({})).toEqual({});
    expect(mapped({ event: "Report Exported" })).toEqual({ sentName: "Report Exported" });
    expect(mapped({ event: " report.exported " })).toEqual({ sentName: " report.exported " });
  });
  it("§4.2 is none of an identify or a group", () => {
    for (const type of ["identify", "group"]) {
      expect(mapped({ type, groupId: "g", event: "X" })).not.toHaveProperty("sentName");
    }
  });
  it("§5 is kept without e-mail addresses, however long it grows without them", () => {
    expect(mapped({ event: "Invited jane@example.com" })).toEqual({ sentName: "Invited [redacted]" });
    const { sentName = "" } = mapped({ event: "a@b.c,".repeat(13).padEnd(MAX_RAW_EVENT_CHARACTERS, "!") });
    expect(sentName).toHaveLength(MAX_RAW_EVENT_CHARACTERS);
    expect(sentName).toMatch(/^\[redacted\]/);
  });
  it("§5 tells no more than the event that is stored", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), (text) => {
        const { event, mapping } = accept({ ...track, event: `a${text}` });
        expect(mapping.sentName === undefined).toBe(event === `a${text}`);
        expect(mapEventName(mapping.sentName ?? `a${text}`)).toBe(event);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** A message in which this field, and no other, names the account. */
function naming(field: string): object {
  const [key = "", ...deeper] = field.split(".");
  return { [key]: deeper.length === 0 ? "acme" : naming(deeper.join(".")) };
}

describe("the account", () => {
  it.each(ACCOUNT_FIELDS)("§4.2 is known to be named by %s", (field) => {
    const message = accept({ ...track, type: field === "groupId" ? "group" : "track", ...naming(field) });
    expect(message.accountId).toBe("acme");
    expect(message.mapping).toEqual({ accountField: field });
  });
  it("§4.2 is named by the first field that names one, blank ones passed over", () => {
    const fields = { accountId: "a", properties: { accountId: " ", group_id: "b" }, context: { groupId: "c" } };
    expect(mapped(fields)).toEqual({ accountField: "properties.group_id" });
  });
});

describe("the time", () => {
  it.each<[string, object, Mapping]>([
    ["none", {}, {}],
    ["none but sentAt", { sentAt: at(-HOUR) }, {}],
    ["none but originalTimestamp", { originalTimestamp: at(-HOUR) }, {}],
    ["timestamp", { timestamp: at(-HOUR) }, { timeField: "timestamp" }],
    ["timestamp, at the moment of receipt", { timestamp: at(0) }, { timeField: "timestamp" }],
    ["timestamp, sent in time", { timestamp: at(-HOUR), sentAt: at(-4_999) }, { timeField: "timestamp" }],
    [
      "timestamp, corrected by a CDP",
      { timestamp: at(-HOUR), originalTimestamp: at(-9), sentAt: at(HOUR), receivedAt: at(-9) },
      { timeField: "timestamp" },
    ],
    [
      "originalTimestamp, by a slow clock",
      { originalTimestamp: at(-2 * HOUR), timestamp: at(0), sentAt: at(-HOUR) },
      { timeField: "originalTimestamp", clockSlowMs: HOUR },
    ],
    [
      "timestamp, by a fast clock",
      { timestamp: at(0), sentAt: at(HOUR) },
      { timeField: "timestamp", clockSlowMs: -HOUR },
    ],
    ["one in the future", { timestamp: at(300_001) }, { timeField: "timestamp", replaced: "future" }],
    [
      "one in the future once corrected",
      { originalTimestamp: at(HOUR), sentAt: at(-HOUR) },
      { timeField: "originalTimestamp", clockSlowMs: HOUR, replaced: "future" },
    ],
    [
      "one before the calendar once corrected",
      { timestamp: "0001-01-01T00:00:00Z", sentAt: "9999-12-31T00:00:00Z" },
      { timeField: "timestamp", clockSlowMs: RECEIVED_AT - Date.UTC(9_999, 11, 31), replaced: "past" },
    ],
  ])("§4.2 is told to come from %s", (_, times, mapping) => {
    expect(mapped(times)).toEqual(mapping);
  });
  it("§4.2 is corrected by the batch's sentAt too", () => {
    expect(mapped({ timestamp: at(0) }, RECEIVED_AT + HOUR)).toEqual({ timeField: "timestamp", clockSlowMs: -HOUR });
  });
  it("§4.2 can be found again: what was sent, corrected, is what is stored", () => {
    const offset = fc.integer({ min: -9 * HOUR, max: 9 * HOUR });
    fc.assert(
      fc.property(fc.option(offset), fc.option(offset), fc.option(offset), (timestamp, originalTimestamp, sentAt) => {
        const sent = { timestamp, originalTimestamp };
        const times = Object.entries({ ...sent, sentAt }).flatMap(([key, ms]) => (ms === null ? [] : [[key, at(ms)]]));
        const { mapping, occurredAt } = accept({ ...track, ...Object.fromEntries(times) });
        const { timeField, clockSlowMs = 0, replaced } = mapping;
        const offsetMs = timeField === undefined || replaced !== undefined ? 0 : (sent[timeField] ?? NaN) + clockSlowMs;
        expect(occurredAt - RECEIVED_AT).toBe(offsetMs);
      }),
      { numRuns: 2_000 },
    );
  });
});

const capture = (fields: object): Mapping => {
  const body = { accountId: "acme", userId: "u1", event: "report.exported", ...fields };
  const native = mapNativeCapture(body, { receivedAt: RECEIVED_AT, versioned: true, messageId: "m" });
  if (!native.ok) throw new Error(JSON.stringify(native.issues));
  return native.message.mapping;
};

describe("a native capture", () => {
  it("§3 names its account by accountId, and has a time or none", () => {
    expect(capture({})).toEqual({ accountField: "accountId" });
    expect(capture({ timestamp: at(-1) })).toEqual({ accountField: "accountId", timeField: "timestamp" });
    expect(capture({ timestamp: at(300_001) })).toMatchObject({ timeField: "timestamp", replaced: "future" });
  });
});

it("§5 no e-mail address, phone number or other personal data planted in a message is in its mapping", () => {
  const phone = fc.stringMatching(/^\+49 1[5-7]\d \d{7}$/);
  const planted = fc.record({
    type: fc.constantFrom("track", "identify", "group"),
    event: fc.tuple(fc.constantFrom("Invited ", "a", "reportShared:"), fc.emailAddress()),
    properties: plantedTree("everywhere"),
    traits: plantedTree("traits"),
    context: plantedTree("everywhere"),
    phoneKey: fc.constantFrom("phone", "Phone Number", "mobile", "tel"),
    phone,
  });
  fc.assert(
    fc.property(planted, ({ type, event, properties, traits, context, phoneKey, phone: number }) => {
      const { mapping } = accept({
        type,
        userId: "u1",
        groupId: "g",
        event: event.join(""),
        properties: { ...properties.tree, [phoneKey]: number },
        traits: { ...traits.tree, [phoneKey]: number },
        context: { ...context.tree, traits: { phone: number } },
        [phoneKey]: number,
        timestamp: at(0),
      });
      const text = JSON.stringify(mapping).toLowerCase();
      const secrets = [...properties.secrets, ...traits.secrets, ...context.secrets, event[1], number];
      for (const secret of secrets) expect(text).not.toContain(secret.toLowerCase());
      expect(text).not.toContain("@");
    }),
    { numRuns: 2_000 },
  );
});
