import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { inUnits } from "../../../src/core/ingest/elapsed-time.ts";
import { explainMapping, type MappedArrival } from "../../../src/core/ingest/explain-mapping.ts";
import { accept, at, RECEIVED_AT } from "./support.ts";

const ACME = { externalId: "acme", kind: "company" } as const;
const message: MappedArrival = {
  type: "track",
  source: "cdp",
  event: "report.exported",
  account: ACME,
  occurredAt: RECEIVED_AT,
  receivedAt: RECEIVED_AT,
  mapping: {},
};
const explain = (fields: Partial<MappedArrival>) => explainMapping({ ...message, ...fields });

/** A compatibility message with these times, as it is mapped. */
function sentAs(fields: object) {
  const { type, event, occurredAt, mapping } = accept({
    type: "track",
    userId: "u1",
    event: "Report Exported",
    ...fields,
  });
  return explain({ type, event, occurredAt, mapping });
}

describe("the sentence on the name", () => {
  it("tells both names, or that they are one", () => {
    expect(explain({ mapping: { sentName: "Report Exported" } }).name).toBe("“Report Exported” as report.exported");
    expect(explain({}).name).toBe("report.exported, as it was sent");
  });
  it("is none of a message without an event", () => expect(explain({ type: "group", event: null }).name).toBeNull());
  it("claims nothing where nothing was kept, but for captures: their names are stored as they are", () => {
    expect(explain({ mapping: null }).name).toBe("report.exported: the name that was sent was not kept");
    expect(explain({ mapping: null, source: "native" }).name).toBe("report.exported, as it was sent");
  });
});

describe("the sentence on the account", () => {
  it("tells the field that named it", () => {
    expect(sentAs({ properties: { accountId: "acme" } }).account).toBe("acme: named by properties.accountId");
    expect(explain({ source: "native", mapping: null }).account).toBe("acme: named by accountId");
  });
  it("tells of an account that nothing named only what must have been", () => {
    expect(explain({}).account).toBe("acme: its user's account when it came, by an earlier message");
    const account = { externalId: "u1", kind: "solo" } as const;
    const ofOne = "u1: the account of one of a user that belonged to none";
    expect(explain({ account }).account).toBe(ofOne);
    expect(explain({ account, mapping: null }).account).toBe(ofOne);
    expect(explain({ account: { ...account, externalId: null } }).account).toMatch(/^\(erased\): /);
    expect(explain({ type: "identify", account: null }).account).toBe("none: its user had no account when it came");
  });
  it("leaves open what was not kept", () => {
    expect(explain({ type: "group", mapping: null }).account).toBe("acme: named by the message");
    expect(explain({ mapping: null }).account).toBe(
      "acme: named by the message, or its user's account when it came, by an earlier message",
    );
  });
});

describe("the sentence on the time", () => {
  it.each([
    ["the time of receipt, as no time was sent that counts", {}],
    ["the time of receipt, as no time was sent that counts", { originalTimestamp: at(-1) }],
    ["at receipt, by its timestamp", { timestamp: at(0) }],
    ["2 min 3 s before receipt, by its timestamp", { timestamp: at(-123_000) }],
    ["4 s after receipt, by its timestamp", { timestamp: at(4_000) }],
    [
      "2 min 3 s before receipt, by its originalTimestamp on a clock that sentAt shows 8 s slow, corrected",
      { originalTimestamp: at(-131_000), sentAt: at(-8_000) },
    ],
    [
      "1 h before receipt, by its timestamp on a clock that sentAt shows 1 d fast, corrected",
      { timestamp: at(23 * 3_600_000), sentAt: at(24 * 3_600_000) },
    ],
    ["the time of receipt, as its timestamp was in the future", { timestamp: at(300_001) }],
    [
      "the time of receipt, as its timestamp was in the future once a clock that sentAt shows 1 h slow was corrected",
      { timestamp: at(0), sentAt: at(-3_600_000) },
    ],
  ])("is “%s”", (sentence, times) => expect(sentAs(times).time).toBe(sentence));
  it("says so of a time before the calendar", () => {
    const mapping = { timeField: "timestamp", replaced: "past" } as const;
    expect(explain({ mapping }).time).toBe("the time of receipt, as its timestamp was before the year 0");
  });
  it("claims nothing of where it is from where nothing was kept", () => {
    expect(explain({ mapping: null, occurredAt: RECEIVED_AT - 90_000 }).time).toBe(
      "1 min 30 s before receipt; what it was read from was not kept",
    );
  });
});

describe("a length of time", () => {
  it.each([
    [0, "0 ms"],
    [1, "1 ms"],
    [1_000, "1 s"],
    [1_450, "1 s 450 ms"],
    [60_001, "1 min"],
    [3_599_999, "59 min 59 s"],
    [86_400_000, "1 d"],
    [90_061_001, "1 d 1 h"],
  ])("of %i ms is %s", (ms, text) => expect(inUnits(ms)).toBe(text));
  it("is never told longer than it is, and short of it by less than a part in 24", () => {
    const lengths = new Map([
      ["d", 86_400_000],
      ["h", 3_600_000],
      ["min", 60_000],
      ["s", 1_000],
      ["ms", 1],
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e13 }), (ms) => {
        const told = [...inUnits(ms).matchAll(/(\d+) (\w+)/g)].reduce(
          (sum, [, count, unit = ""]) => sum + Number(count) * (lengths.get(unit) ?? NaN),
          0,
        );
        expect(told).toBeLessThanOrEqual(ms);
        expect(ms - told).toBeLessThan(ms / 24);
      }),
    );
  });
});
