/**
 * Query plans of all statements of ingest and reads. The statements are collected from the requests below, so that new
 * ones are included.
 */
import { beforeAll, expect, it } from "vitest";

import { APPEND_FOR_KNOWN_USER } from "../../../src/db/ingest/known-users.ts";
import { SELECT_ANSWER } from "../../../src/db/ingest/entity-ref.ts";
import { INGEST } from "../../../src/db/ingest/ingest-sql.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import * as rejectionStatements from "../../../src/db/ingest/rejections-sql.ts";
import { batchOf } from "../db/message-arbitraries.ts";
import { D1_LOST, faultyDatabase } from "../support/faulty-env.ts";
import { sqlOf } from "../support/sql-of.ts";
import { fullScans } from "./full-scans.ts";
import { capture, message, messages, type Meter, newMeter, type Statement } from "./meter.ts";

/** Values by statement. */
const statements = new Map<string, Statement["values"]>();

async function collect({ request, workspace }: Meter): Promise<void> {
  const of = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const cost = await request(method, path, body, headers);
    expect(cost.status, `${method} ${path}`).toBe(200);
    for (const { sql, values } of cost.statements) statements.set(sql, values);
  };
  const { key } = await workspace.newKey();
  await of("GET", "/api/v1/events", undefined, { Authorization: `Bearer ${key}` });

  const all = [
    message("identify", { userId: "w", traits: { role: "admin", accountPlan: "pro" } }),
    message("track", { userId: "w" }),
    message("group", { userId: "w", groupId: "acme", traits: { plan: "pro", sector: "rail" } }),
    message("track", { userId: "w" }),
    message("track", { userId: "v", accountId: "acme", accountSeats: 3 }),
    message("track", { event: "" }),
    message("page"),
  ];
  // Dependent messages, then independent ones, then single ones; each also as a duplicate.
  for (const body of [all, [all[1], message("track", { userId: "x" })], ...all.slice(0, 5), all]) {
    await of("POST", "/api/v1/cdp", body);
  }
  await of("POST", "/api/v1/events", capture({ accountPlan: "pro" }), { "Idempotency-Key": "key-1" });
  for (let times = 0; times < 2; times += 1) await of("POST", "/api/v1/events", capture());

  await of("GET", "/api/v1/events?limit=2");
  await of("GET", `/api/v1/events?limit=2&cursor=${await cursorOf(workspace, "/api/v1/events?limit=2")}`);
  await of("GET", "/api/v1/users/w");
  await of(
    "POST",
    "/api/v1/cdp",
    messages(5, "track", () => ({ event: "" })),
  );
  await of("GET", "/api/v1/rejected");
  await of("GET", `/api/v1/rejected?limit=2&cursor=${await cursorOf(workspace, "/api/v1/rejected?limit=2")}`);
}

async function cursorOf(workspace: Meter["workspace"], path: string): Promise<string> {
  const { body } = await workspace.get(path);
  if (typeof body.nextCursor !== "string") throw new Error(`${path} has one page only`);
  return body.nextCursor;
}

/** A retry after a lost answer has its own statement. */
async function collectRepeated({ workspace, env: metered, take }: Meter): Promise<void> {
  const ref = await workspace.ref();
  const one = { index: 0, type: "identify", userId: "w", accountId: null, event: null } as const;
  for (const ids of [["r1"], ["r2", "r3"]]) {
    const rest = { properties: null, traits: null, accountTraits: null, attributes: null, occurredAt: 1, mapping: {} };
    const batch = ids.map((messageId) => ({ ...one, ...rest, messageId }));
    const { DB } = faultyDatabase(metered.DB, async (run, number) => {
      const result = await run();
      if (number === 1) throw new Error(D1_LOST);
      return result;
    });
    await storeBatch({ ...metered, DB }, ref, "key_1", batchOf(batch));
    const cost = take();
    expect(cost.trips).toBe(2);
    for (const { sql, values } of cost.statements) statements.set(sql, values);
  }
}

beforeAll(async () => {
  const meter = await newMeter();
  await collect(meter);
  await collectRepeated(meter);
});

it("recognizes a full scan", async () => {
  expect(await fullScans("SELECT 1 FROM messages m WHERE m.event = ?1", ["x"])).toEqual(["SCAN m"]);
  expect(await fullScans("SELECT count(*) FROM users", [])).toHaveLength(1);
  expect(await fullScans('select * from "accounts" order by "external_id"', [])).toHaveLength(1);
  expect(
    await fullScans("SELECT 1 FROM json_each(?1) h CROSS JOIN messages l WHERE l.event = h.value", ["[]"]),
  ).toEqual(["SCAN l"]);
  expect(await fullScans("UPDATE users SET account = g.a FROM (SELECT max(seq) AS a FROM messages) g", [])).not.toEqual(
    [],
  );
  expect(await fullScans("SELECT 1 FROM json_each(?1) h CROSS JOIN messages l WHERE l.seq = h.value", ["[]"])).toEqual(
    [],
  );
});

it("covers every statement of the ingest transaction", () => {
  const own = [...Object.values(INGEST), APPEND_FOR_KNOWN_USER, SELECT_ANSWER];
  const all = [...own, ...Object.values(rejectionStatements)].map(sqlOf);
  expect(all.filter((sql) => !statements.has(sql))).toEqual([]);
});

it("finds no table scan in ingest, reads and the key lookup", async () => {
  expect(statements.size).toBeGreaterThan(25);
  const found = [];
  for (const [sql, values] of statements) {
    for (const line of await fullScans(sql, values)) found.push(`${line}: ${sql}`);
  }
  expect(found).toEqual([]);
});
