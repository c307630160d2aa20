/** Section 3: what each field of a native capture may be. */
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { capture } from "../support/messages.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const PATH = "/api/v1/events";
const NOW = Date.UTC(2030, 4, 6, 7, 8, 9, 10);

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const given = async (fields: Record<string, unknown>) => workspace.post(PATH, capture(fields));
const newest = async () => (await workspace.get(`${PATH}?limit=1`)).body.events?.[0];
const refusing = (field: string) => ({
  status: 400,
  body: { ok: false, error: { code: "invalid_request", issues: [{ path: field, message: expect.any(String) }] } },
});

describe.each([
  ["accountId", "account"],
  ["userId", "user"],
])("§3 %s", (field, answered) => {
  it.each<[given: unknown, read: string]>([
    ["a", "a"],
    ["  Acme & Søns \t", "Acme & Søns"],
    ["x".repeat(256), "x".repeat(256)],
    [` ${"é".repeat(256)} `, "é".repeat(256)],
    [42, "42"],
    [-7, "-7"],
    [0, "0"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
    ["__proto__", "__proto__"],
  ])(`§3 ${field} %j is read as %j`, async (value, read) => {
    expect(await given({ [field]: value })).toMatchObject({ status: 200, body: { [answered]: { externalId: read } } });
  });

  it.each([
    [undefined],
    [null],
    [""],
    [" \t\n "],
    ["x".repeat(257)],
    ["a\u0000b"],
    ["a\nb"],
    ["a\u007Fb"],
    ["a\u0085b"],
    [1.5],
    [2 ** 53],
    [-(2 ** 53)],
    [true],
    [{}],
    [["a"]],
  ])(`§3 ${field} %j is refused`, async (value) => {
    expect(await given({ [field]: value })).toMatchObject(refusing(field));
  });
});

describe("§3 event", () => {
  it.each([["a"], ["report.exported"], ["a1_b.c2_d.3"], ["a.b.c.d.e.f"], ["x".repeat(128)], [`a.${"b".repeat(126)}`]])(
    "§3 event %j is stored as it is",
    async (event) => {
      expect((await given({ event })).status).toBe(200);
      expect(await newest()).toMatchObject({ name: event });
    },
  );

  it.each([
    [undefined],
    [null],
    [""],
    ["Report"],
    ["report exported"],
    ["report-exported"],
    [" report"],
    ["report\n"],
    [".a"],
    ["a."],
    ["a..b"],
    ["1a"],
    ["_a"],
    ["é"],
    ["x".repeat(129)],
    [5],
    [{}],
  ])("§3 event %j is refused", async (event) => {
    expect(await given({ event })).toMatchObject(refusing("event"));
  });
});

describe("§3 properties", () => {
  it("§3 properties are an object, stored as it is", async () => {
    const properties = { n: 0.1, s: "é", b: false, z: null, a: [1, [2]], o: { p: {} }, "": 1, "a.b": 2, "$[0]": 3 };
    expect((await given({ properties })).status).toBe(200);
    expect(await newest()).toMatchObject({ properties });
  });

  it.each([[{}], [undefined]])("§3 properties %j are none", async (properties) => {
    expect((await given({ properties })).status).toBe(200);
    expect(await newest()).toMatchObject({ properties: {} });
  });

  it.each([[[]], ["x"], [5], [true]])("§3 properties %j are refused", async (properties) => {
    expect(await given({ properties })).toMatchObject(refusing("properties"));
  });
});

describe("§3 timestamp", () => {
  it.each([
    ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T09:30:00.25Z", "2026-01-31T09:30:00.250Z"],
    ["2026-01-31T09:30:00+02:00", "2026-01-31T07:30:00.000Z"],
    ["2026-01-31T09:30:00.123456-05:30", "2026-01-31T15:00:00.123Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  ])("§3 timestamp %s is %s", async (timestamp, occurredAt) => {
    expect((await given({ timestamp })).status).toBe(200);
    expect(await newest()).toMatchObject({ occurredAt });
  });

  it("§3 an absent timestamp is the time of receipt", async () => {
    vi.setSystemTime(NOW);
    await given({});
    expect(await newest()).toMatchObject({
      occurredAt: "2030-05-06T07:08:09.010Z",
      receivedAt: "2030-05-06T07:08:09.010Z",
    });
  });

  it.each([
    ["2026-01-31T09:30:00"],
    ["2026-01-31"],
    ["2026-02-30T00:00:00Z"],
    ["2026-13-01T00:00:00Z"],
    ["2026-01-01T25:00:00Z"],
    ["yesterday"],
    [""],
    [1_700_000_000_000],
    [{}],
  ])("§3 timestamp %j is refused", async (timestamp) => {
    expect(await given({ timestamp })).toMatchObject(refusing("timestamp"));
  });
});

describe("§3 several faults", () => {
  it("§3 §8 each is named, and nothing is stored", async () => {
    const { get, post } = await newWorkspace();
    const { status, body } = await post(PATH, { userId: 1.5, event: "No", properties: [], accountSeats: -1 });
    expect(status).toBe(400);
    expect(body.error?.issues?.map(({ path }) => path).toSorted()).toEqual([
      "accountId",
      "accountSeats",
      "event",
      "properties",
      "userId",
    ]);
    expect((await get(PATH)).body.events).toEqual([]);
  });

  it.each([["[]"], ["null"], ["5"], ['"x"'], ["[{}]"]])("§3 the body %s is refused", async (body) => {
    expect(await workspace.post(PATH, body)).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request" } },
    });
  });
});
