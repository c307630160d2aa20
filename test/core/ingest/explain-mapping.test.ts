import { describe, expect, it } from "vitest";

import { explainMapping, formatDuration, type MappedArrival } from "../../../src/core/ingest/explain-mapping.ts";
import { accept, at, RECEIVED_AT } from "./support.ts";

const ACME = { externalId: "acme", kind: "company" } as const;
const SOLO = { externalId: "u1", kind: "solo" } as const;
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

describe("the explanation of a message", () => {
  it.each<[string | null, Partial<MappedArrival>]>([
    ["“Report Exported” as report.exported", { mapping: { sentName: "Report Exported" } }],
    ["report.exported, as sent", {}],
    ["report.exported, as sent", { mapping: null, source: "native" }],
    ["report.exported (original name not stored)", { mapping: null }],
    [null, { type: "group", event: null }],
  ])("gives the name as %j", (name, fields) => expect(explain(fields).name).toBe(name));

  it.each<[string, Partial<MappedArrival>]>([
    ["acme: named by properties.accountId", { mapping: { accountField: "properties.accountId" } }],
    ["acme: named by accountId", { source: "native", mapping: null }],
    ["acme: named by the message", { type: "group", mapping: null }],
    ["acme: the user's account at that time", {}],
    ["acme: named by the message, or the user's account at that time", { mapping: null }],
    ["u1: personal account of a user without a company", { account: SOLO }],
    ["(erased): personal account of a user without a company", { account: { ...SOLO, externalId: null } }],
    ["none: the user had no account yet", { type: "identify", account: null }],
  ])("gives the account as %j", (account, fields) => expect(explain(fields).account).toBe(account));

  it.each([
    ["time of receipt: no valid timestamp sent", { sentAt: at(-1) }],
    ["time of receipt: timestamp before 2000 counts as absent", { timestamp: "0001-01-01T00:00:00Z" }],
    [
      "2.1 min before receipt, by its originalTimestamp; timestamp before 2000 counts as absent",
      { timestamp: "1970-01-01T00:00:00Z", originalTimestamp: at(-123_000) },
    ],
    ["at receipt, by its timestamp", { timestamp: at(0) }],
    ["2.1 min before receipt, by its timestamp", { timestamp: at(-123_000) }],
    ["4 s after receipt, by its timestamp", { timestamp: at(4_000) }],
    [
      "2.1 min before receipt, by its originalTimestamp, corrected for a clock 8 s slow",
      { originalTimestamp: at(-131_000), sentAt: at(-8_000) },
    ],
    [
      "1 h before receipt, by its timestamp, corrected for a clock 1 d fast",
      { timestamp: at(23 * 3_600_000), sentAt: at(24 * 3_600_000) },
    ],
    ["time of receipt: timestamp was in the future", { timestamp: at(300_001) }],
    [
      "time of receipt: timestamp was in the future after correcting a clock 1 h slow",
      { timestamp: at(0), sentAt: at(-3_600_000) },
    ],
  ])("gives the time as %j", (time, times) => {
    const { occurredAt, mapping } = accept({ type: "track", userId: "u1", event: "x", ...times });
    expect(explain({ occurredAt, mapping }).time).toBe(time);
  });

  it("says if a time was before 2000 after its correction, or if its source is unknown", () => {
    const mapping = { timeField: "timestamp", clockSlowMs: -86_400_000, replaced: "past" } as const;
    const text = "time of receipt: timestamp was before 2000 after correcting a clock 1 d fast";
    expect(explain({ mapping }).time).toBe(text);
    const unknown = explain({ mapping: null, occurredAt: RECEIVED_AT - 90_000 });
    expect(unknown.time).toBe("1.5 min before receipt (source not stored)");
  });
});

it.each([
  [0, "0 ms"],
  [1, "1 ms"],
  [-1_450, "1.5 s"],
  [60_001, "1 min"],
  [3_599_999, "60 min"],
  [90_061_001, "1 d"],
])("writes %i ms as %s", (ms, text) => expect(formatDuration(ms)).toBe(text));
