/** The costs of identity calls and erasures, and how SQLite finds their rows. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";

import { finishAgreementChanges } from "../../../src/db/identity/agreement.ts";
import { fullScans } from "../costs/full-scans.ts";
import { type Cost, type Meter, newMeter } from "../costs/meter.ts";
import { admin } from "../support/workspace.ts";

const IDENTITY = "/api/v1/identity";
const JSON_TYPE = { "Content-Type": "application/json" };
const TRAITS = { company: "Acme Corp", name: "Jo Doe", email: "jo@acme.example" };

const upTo = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => at));

let meter: Meter;
beforeAll(async () => {
  meter = await newMeter();
  await admin("PUT", `/workspaces/${meter.workspace.id}/dpa`, { acceptedBy: "Ann", version: "1" });
  for (const userId of ["u1", "u2", "u3"]) {
    await meter.workspace.post("/api/v1/events", { accountId: "acme", userId, event: "a" });
  }
  await meter.workspace.post("/api/v1/cdp", { type: "track", userId: "solo", event: "a", properties: { a: 1 } });
});

async function scans({ statements }: Cost): Promise<string[]> {
  const found = [];
  for (const { sql, values } of statements) {
    for (const line of await fullScans(sql, values)) found.push(`${line}: ${sql}`);
  }
  return found;
}

describe("the costs of identity calls", () => {
  it("§6 attaching takes four round trips, one object call and no scan", async () => {
    const body = { accountId: "acme", userId: "u1", traits: TRAITS };
    for (const traits of [TRAITS, TRAITS, { company: null, name: null, email: null }]) {
      const cost = await meter.request("POST", IDENTITY, { ...body, traits }, JSON_TYPE);
      expect(cost).toMatchObject({ status: 200, trips: 3, objectCalls: 1 });
      expect(await scans(cost)).toEqual([]);
    }
  });

  it("§6 a call without the agreement takes one round trip and no object call", async () => {
    const other = await newMeter();
    const cost = await other.request("POST", IDENTITY, { userId: "u1", traits: TRAITS }, JSON_TYPE);
    expect(cost).toMatchObject({ status: 403, trips: 1, objectCalls: 0 });
  });

  it("§6.2 erasing a user with a short log takes four round trips and no scan", async () => {
    const cost = await meter.request("DELETE", "/api/v1/users/solo");
    expect(cost).toMatchObject({ status: 200, trips: 5, objectCalls: 0 });
    expect(await scans(cost)).toEqual([]);
    const unknown = await meter.request("DELETE", "/api/v1/users/nobody");
    expect(unknown).toMatchObject({ status: 200, trips: 3, objectCalls: 0, written: 0 });
  });

  it("§6.2 erasing a user reads 20,000 events per round trip and writes only the user's own", async () => {
    const other = await newMeter();
    for (const userId of ["busy", "quiet"]) {
      await other.workspace.post("/api/v1/events", { accountId: "acme", userId, event: "a" });
    }
    const { number } = await other.workspace.ref();
    await env.DB.prepare(
      `INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, account, user, event, properties,
         occurred_at, received_at)
       SELECT m.seq + 2 + 1000 * a.value + b.value, ?1, 'cdp', 'm' || (1000 * a.value + b.value), 1, 'track', m.account,
         m.user, 'a', '{"a":1}', 1, 1
       FROM messages m CROSS JOIN json_each(?2) a CROSS JOIN json_each(?3) b
       WHERE m.workspace = ?1 AND m.seq = (?1 << 32) + 1`,
    )
      .bind(number, upTo(100), upTo(1_000))
      .run();
    // The search, the mark, six steps and the end. Writing a message reads it once more.
    for (const [user, written] of [
      ["quiet", 1],
      ["busy", 100_001],
    ] as const) {
      const cost = await other.request("DELETE", `/api/v1/users/${user}`);
      expect(cost).toMatchObject({ status: 200, trips: 10 });
      expect(cost.written - written).toBeLessThan(20);
      expect(cost.read).toBeLessThan(100_000 + 2 * written + 1_000);
    }
  });

  it.each([
    { what: "values that the first users have", shared: "shared", read: 10_000 },
    { what: "values that only the last users have, whatever their number", shared: "last", read: 60_000 },
  ])("§6.2 erasing a user among 20,000 with $what", async ({ shared, read }) => {
    const other = await newMeter();
    const { number } = await other.workspace.ref();
    const traits = Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`key${place}`, shared]));
    for (const userId of ["kept", "erased"])
      await other.workspace.post("/v1/identify", { userId, traits: userId === "kept" ? { key0: "shared" } : traits });
    await env.DB.prepare(
      `INSERT INTO traits SELECT 'user', (?1 << 32) + 10 + value, 'key' || (value % 20), iif(value < 15000, '"shared"', '"last"'), 1, 1
       FROM json_each(?2)`,
    )
      .bind(number, upTo(20_000))
      .run();
    const listed = "INSERT INTO dimension_values SELECT ?1, 'user.key' || value, ?3 FROM json_each(?2)";
    await env.DB.prepare(listed).bind(number, upTo(20), JSON.stringify(shared)).run();
    const cost = await other.request("DELETE", "/api/v1/users/erased");
    expect(cost.status).toBe(200);
    expect(cost.read).toBeLessThan(read);
    const kept = env.DB.prepare("SELECT count(*) AS count FROM dimension_values WHERE workspace = ?").bind(number);
    expect(await kept.first("count")).toBe(20);
  });

  it("§6 attaching reads the same rows however many other users have traits", async () => {
    const call = () => meter.request("POST", IDENTITY, { userId: "u2", traits: { name: "Ada" } }, JSON_TYPE);
    await call();
    const { read } = await call();
    const { number } = await meter.workspace.ref();
    const users = JSON.stringify(Array.from({ length: 5_000 }, (_, place) => place + 1_000_000));
    const insert = (sql: string) => env.DB.prepare(sql).bind(number, users).run();
    await insert("INSERT INTO identity_traits SELECT ?1, 'user', value, 'name', 'Ada', 1 FROM json_each(?2)");
    await insert("INSERT INTO names SELECT ?1, 'ada', 'user', value, 'name', 0 FROM json_each(?2)");
    expect((await call()).read).toBeLessThanOrEqual(read + 5);
  });

  it("§6.1 the cron scans only the workspaces for unfinished withdrawals", async () => {
    meter.take();
    await finishAgreementChanges(meter.env);
    const cost = meter.take();
    expect(cost.trips).toBe(1);
    expect((await scans(cost)).map((line) => line.split(":")[0])).toEqual([
      expect.stringMatching(/^SCAN workspaces\b/),
    ]);
  });
});
