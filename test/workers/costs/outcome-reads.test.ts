/** The cost of reading outcomes and marking items. */
import { beforeAll, describe, expect, it } from "vitest";

import { NOW, outcomesOf, setRuns } from "../support/outcomes.ts";
import { markOwner } from "../support/destinations.ts";
import { fullScans } from "./full-scans.ts";
import { type Meter, newMeter } from "./meter.ts";

let meter: Meter;
let item: string;
const cursors = new Map<string, string>();

const LISTS = [
  "/api/v1/accounts?limit=1",
  "/api/v1/accounts?limit=1&sort=mrr",
  "/api/v1/accounts?limit=1&sort=lastSeen",
  "/api/v1/accounts?limit=1&state=healthy",
  "/api/v1/accounts?limit=1&owner=Ann",
  "/api/v1/inbox?limit=1",
  "/api/v1/inbox?limit=1&status=resolved",
  "/api/v1/inbox?limit=1&status=snoozed",
  "/api/v1/inbox?limit=1&status=dismissed",
  "/api/v1/inbox?limit=1&kind=usage_drop",
  "/api/v1/inbox?limit=1&owner=Ann",
];

beforeAll(async () => {
  meter = await newMeter();
  const outcomes = await outcomesOf(meter.workspace);
  await setRuns({ asOf: NOW });
  for (const name of ["acme", "globex"]) {
    const { number } = await outcomes.account(name);
    await markOwner(number, "Ann");
    ({ id: item } = await outcomes.item({ account: number }));
    await outcomes.item({ account: number, subject: "x", resolvedDay: 1 });
  }
  for (const path of LISTS) {
    const { body } = await meter.workspace.get(path);
    if (typeof body.nextCursor === "string") cursors.set(path, body.nextCursor);
  }
});

/** Lists the requests. */
function requests(): [method: string, path: string, body?: unknown][] {
  const marked = `/api/v1/inbox/${item}`;
  return [
    ...LISTS.map((path): [string, string] => ["GET", path]),
    ...[...cursors].map(([path, cursor]): [string, string] => ["GET", `${path}&cursor=${cursor}`]),
    ["GET", "/api/v1/accounts/acme"],
    ["GET", "/api/v1/accounts/acc_000000000000000000000000"],
    ["POST", `${marked}/dismiss`],
    ["DELETE", `${marked}/dismiss`],
    ["POST", `${marked}/snooze`, { until: new Date(Date.now() + 60_000).toISOString() }],
    ["DELETE", `${marked}/snooze`],
    ["POST", `${marked}/contacted`],
    ["DELETE", `${marked}/contacted`],
    ["PUT", `${marked}/note`, { text: "a" }],
    ["PUT", `${marked}/note`, { text: "" }],
    ["PUT", "/api/v1/accounts/acme/owner", { owner: "Ann" }],
    ["PUT", "/api/v1/accounts/acme/owner", { owner: null }],
  ];
}

const cost = ([method, path, body]: [string, string, unknown?]) =>
  meter.request(method, path, body, { "Content-Type": "application/json" });

describe("reading outcomes and marking items", () => {
  it("§13 §14 costs one round trip to D1, a mark another one for its key, and no call of the Durable Object", async () => {
    expect(cursors.size).toBeGreaterThan(5);
    for (const request of requests()) {
      const trips = request[0] === "GET" ? 1 : 2;
      expect(await cost(request), request.join(" ")).toMatchObject({ trips, objectCalls: 0 });
    }
  });

  it("§14 writes nothing for the repetition of a mark", async () => {
    const marks = requests().filter(([method]) => method !== "GET");
    expect(marks).toHaveLength(10);
    for (const mark of marks) {
      expect((await cost(mark)).written, mark.join(" ")).toBeGreaterThan(0);
      expect((await cost(mark)).written, mark.join(" ")).toBe(0);
    }
  });

  it("§13 §14 scans no table", async () => {
    const found: string[] = [];
    for (const request of requests()) {
      for (const statement of (await cost(request)).statements) {
        for (const line of await fullScans(statement.sql, statement.values)) found.push(`${line}: ${statement.sql}`);
      }
    }
    expect(found).toEqual([]);
  });

  it("§13 reads only a page's items, however many are open", async () => {
    const outcomes = await outcomesOf(meter.workspace);
    const page: [string, string] = ["GET", "/api/v1/inbox?limit=1"];
    const { read } = await cost(page);
    expect(read).toBeGreaterThan(0);
    for (let place = 0; place < 100; place += 1) await outcomes.item({ subject: `more ${place}` });
    expect((await cost(page)).read).toBe(read);
  });
});
