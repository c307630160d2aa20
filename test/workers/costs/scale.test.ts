/** The cost of a request does not depend on how much is stored. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { breakdown, capture, type Cost, message, messages, type Meter, newMeter } from "./meter.ts";

const USERS = 20_000;
const COMPANIES = 2_000;
const EVENTS = 200_000;
const TRAITS = 20_000;
const BASE = 2 ** 32;

/** Measures requests about the same accounts and users in the same state. */
async function costs({ post, request }: Meter): Promise<Record<string, Cost>> {
  const repeated = messages(200, "track", (place) => ({ userId: `u${place % 20}` }));
  await post("/api/v1/cdp", repeated);
  return {
    "a native capture": await post("/api/v1/events", capture()),
    "a native capture with an attribute": await post("/api/v1/events", capture({ accountPlan: "pro" })),
    "a track": await post("/api/v1/cdp", message("track")),
    "a track that names its account": await post("/api/v1/cdp", message("track", { accountId: "acme" })),
    "a group with traits": await post("/api/v1/cdp", message("group", { groupId: "acme", traits: { sector: "rail" } })),
    "an identify with traits": await post("/api/v1/cdp", message("identify", { traits: { role: "admin" } })),
    "1,000 tracks of 20 users": await post(
      "/api/v1/cdp",
      messages(1_000, "track", (place) => ({ userId: `u${place % 20}` })),
    ),
    "1,000 tracks of 1,000 users": await post(
      "/api/v1/cdp",
      messages(1_000, "track", (place) => ({ userId: `u${place}` })),
    ),
    "1,000 tracks with and without accounts": await post(
      "/api/v1/cdp",
      messages(1_000, "track", (place) => ({ userId: `u${place % 20}`, accountId: place < 500 ? "acme" : null })),
    ),
    duplicates: await post("/api/v1/cdp", repeated),
    "a rejected message": await post("/api/v1/cdp", [message("track", { event: "" })]),
    "a page of events": await reread(await request("GET", "/api/v1/events")),
    "a user": await reread(await request("GET", "/api/v1/users/u1")),
    "a page of rejected messages": await reread(await request("GET", "/api/v1/rejected?limit=1")),
  };
}

/** Repeats the statements of a read with counts, because D1 doesn't count bare rows. */
async function reread(cost: Cost): Promise<Cost> {
  const statements = [];
  for (const { sql, values } of cost.statements) {
    const { meta } = await env.DB.prepare(sql)
      .bind(...values)
      .all();
    statements.push({ sql, values, read: meta.rows_read, written: meta.rows_written });
  }
  const read = statements.reduce((sum, one) => sum + one.read, 0);
  expect(read).toBeGreaterThan(0);
  return { ...cost, statements, read };
}

/** Makes a table `n` with the numbers `i` from 1. */
const upTo = (count: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

/** Fills the workspace and another one in a few statements. */
async function fill(number: number): Promise<void> {
  const other = number + 1_000;
  for (const workspace of [number, other]) {
    // After the numbers of the rows that requests have stored.
    const base = workspace * BASE + 1_000_000;
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO accounts (number, id, workspace, kind, external_id, created_at)
        ${upTo(COMPANIES)} SELECT ${base} + i, 'acc_' || ${workspace} || '_' || i, ${workspace}, 'company', 'stored ' || i, 0 FROM n`),
      env.DB.prepare(`INSERT INTO users (number, id, workspace, external_id, account, account_via, created_at)
        ${upTo(USERS)} SELECT ${base} + i, 'usr_' || ${workspace} || '_' || i, ${workspace}, 'stored ' || i, ${base} + i % ${COMPANIES}, 'group', 0 FROM n`),
      env.DB.prepare(`INSERT INTO memberships (user, account, grouped_at, grouped_seq)
        ${upTo(USERS)} SELECT ${base} + i, ${base} + i % ${COMPANIES}, 0, 0 FROM n`),
      env.DB.prepare(`INSERT INTO traits (subject_kind, subject, key, value, occurred_at, seq)
        ${upTo(TRAITS)} SELECT 'user', ${base} + i, 'role', '1', 0, 0 FROM n`),
    ]);
    const from = workspace * BASE + (await stored(workspace));
    await env.DB.prepare(
      `INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, account, user, event, properties, occurred_at, received_at)
       ${upTo(EVENTS / 2)} SELECT ${from} + i, ${workspace}, 'cdp', 'stored ' || i, 1, 'track', ${base} + i % ${COMPANIES}, ${base} + i, 'report.exported', '{"pages":12}', i, 0 FROM n`,
    ).run();
  }
}

async function stored(workspace: number): Promise<number> {
  const sql = "SELECT count(*) AS count FROM messages WHERE workspace = ?";
  return (await env.DB.prepare(sql).bind(workspace).first<number>("count")) ?? 0;
}

it("the same requests read the same rows with 200,000 events stored as with none", { timeout: 60_000 }, async () => {
  const meter = await newMeter();
  await meter.post(
    "/api/v1/cdp",
    messages(1_000, "group", (place) => ({ userId: `u${place}`, groupId: "acme" })),
  );
  // Rows after each range in every index, so that a range does not end at the end of the table.
  const identified = messages(3, "identify", (place) => ({ userId: `u${place}`, traits: { role: "admin" } }));
  await meter.post("/api/v1/cdp", identified);
  await costs(meter);
  const before = await costs(meter);

  await fill((await meter.workspace.ref()).number);
  const total = await env.DB.prepare("SELECT count(*) AS count FROM messages").first<number>("count");
  expect(total).toBeGreaterThan(EVENTS);
  const after = await costs(meter);

  for (const [name, cost] of Object.entries(after)) {
    expect(cost.read, `${name}\n${breakdown(cost)}`).toBe(before[name]?.read);
    expect(cost.written, name).toBe(before[name]?.written);
    expect(cost.trips, name).toBe(before[name]?.trips);
  }
});
