/** §15.8: what looking up costs, whatever is stored: round trips, rows, and how SQLite goes about it. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { foldName, spokenKey } from "../../../src/core/ask/names.ts";
import type { Plan } from "../../../src/core/ask/model.ts";
import { readFacts } from "../../../src/db/ask/facts.ts";
import { newBatch } from "../../../src/db/client/batch.ts";
import { lookUp } from "../../../src/db/ask/look-up.ts";
import { recompute } from "../../../src/services/recompute/recompute.ts";
import { fullScans } from "../costs/full-scans.ts";
import { breakdown, capture, type Cost, type Meter, newMeter } from "../costs/meter.ts";
import { everyPlan } from "./every-plan.ts";
import { DAY_MS, NOW, TODAY } from "./told-workspace.ts";

const ACCOUNTS = 10;
const USERS_OF_ACCOUNT = 20;
const EVENT_NAMES = 5;
const DAYS = 20;
/** One event of each user, name and day. */
const ONCE = ACCOUNTS * USERS_OF_ACCOUNT * EVENT_NAMES * DAYS;
const TIMES = 10;

const SPANS = ["company a", "compony a", "acc_0123456789abcdef01234567", "person b", "event.c", "eventing c", "pro"];

/** Puts each of the events there `times` more. */
async function addEvents(number: number, times: number): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    await env.DB.prepare(
      `INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, account, user, event, occurred_at, received_at)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1)
       SELECT coalesce((SELECT max(seq) FROM messages WHERE workspace = ?1), ?1 << 32) + 1 + i, ?1, 'cdp',
         ?5 || ' ' || i, 1, 'track', ?1 * 1000 + i % ${ACCOUNTS},
         ?1 * 1000 + i % ${ACCOUNTS * USERS_OF_ACCOUNT}, 'event.' || char(97 + i / ${ACCOUNTS * USERS_OF_ACCOUNT} % ${EVENT_NAMES}),
         (?3 - i / ${ACCOUNTS * USERS_OF_ACCOUNT * EVENT_NAMES}) * ${DAY_MS}, ?4
       FROM n`,
    )
      .bind(number, ONCE, TODAY, NOW, crypto.randomUUID())
      .run();
  }
}

const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count} - 1)`;

async function addSubjects(number: number): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(`INSERT INTO accounts (number, id, workspace, kind, external_id, created_at)
      ${numbers(ACCOUNTS)} SELECT ?1 * 1000 + i, 'acc_' || ?1 || '_' || i, ?1, 'company', 'company ' || char(97 + i), 0 FROM n`).bind(
      number,
    ),
    env.DB.prepare(`INSERT INTO users (number, id, workspace, external_id, account, account_via, created_at)
      ${numbers(ACCOUNTS * USERS_OF_ACCOUNT)}
      SELECT ?1 * 1000 + i, 'usr_' || ?1 || '_' || i, ?1, 'person ' || char(97 + i / 26, 97 + i % 26), ?1 * 1000 + i % ${ACCOUNTS}, 'group', 0 FROM n`).bind(
      number,
    ),
  ]);
}

const foldAll = (now: number) =>
  recompute(env, { now, trigger: "admin", clock: () => 0, budgetMs: 600_000, retentionDays: 400 });

function plansOf(number: number): Plan[] {
  const entity = (type: "account" | "user", externalId: string) =>
    ({ type, number: number * 1_000, id: "", externalId, name: null }) as const;
  return everyPlan({
    account: entity("account", "company a"),
    other: { ...entity("account", "company b"), number: number * 1_000 + 1 },
    user: entity("user", "person a"),
    feature: { type: "feature", number: 0, id: "event.c", externalId: "event.c", name: null },
    window: { from: TODAY - 6, to: TODAY },
    before: { from: TODAY - 13, to: TODAY - 7 },
  });
}

/** What each look-up costs, by what it is of. */
async function costsOf({ env: metered, take, workspace }: Meter): Promise<Record<string, Cost>> {
  const ref = await workspace.ref();
  const costs: Record<string, Cost> = {};
  const measured = async (name: string, work: () => Promise<unknown>) => {
    take();
    await work();
    costs[name] = take();
  };
  await measured("names", () =>
    lookUp(
      newBatch(metered, ref),
      { exact: SPANS, folded: SPANS.map(foldName), spoken: SPANS.map(spokenKey), fuzzy: SPANS.map(foldName) },
      { account: "company a", user: "person a", feature: "event.c" },
    ),
  );
  for (const plan of plansOf(ref.number)) {
    await measured(JSON.stringify(plan), () => readFacts(metered, ref, plan, NOW));
  }
  return costs;
}

it("§15.8 a question costs two round trips, one more for a key that is not warm, and no call of the object", async () => {
  const { workspace, post, request } = await newMeter();
  await post("/api/v1/events", capture());
  const question = { question: "How many events did acme have today?" };
  const json = { "Content-Type": "application/json" };
  expect(await request("POST", "/api/v1/ask", question, json)).toMatchObject({ status: 200, trips: 2, objectCalls: 0 });
  const { key } = await workspace.newKey(["ask"]);
  const cold = { ...json, Authorization: `Bearer ${key}` };
  expect(await request("POST", "/api/v1/ask", question, cold)).toMatchObject({ status: 200, trips: 3, objectCalls: 0 });
});

it("§15.8 everything is looked up in one round trip, and no statement scans a table", { timeout: 60_000 }, async () => {
  const meter = await newMeter();
  const { number } = await meter.workspace.ref();
  await addSubjects(number);
  await addEvents(number, 1);
  await foldAll(NOW);
  await addEvents(number, 1);
  for (const [name, cost] of Object.entries(await costsOf(meter))) {
    expect(cost.trips, name).toBe(1);
    for (const { sql, values } of cost.statements) expect(await fullScans(sql, values), sql).toEqual([]);
  }
});

it("§15.8 the same rows are read with ten times the events on the same days", { timeout: 120_000 }, async () => {
  const meter = await newMeter();
  const { number } = await meter.workspace.ref();
  await addSubjects(number);
  await addEvents(number, 1);
  await foldAll(NOW);
  const before = await costsOf(meter);
  expect(Object.values(before).filter(({ read }) => read > 0).length).toBeGreaterThan(40);
  await addEvents(number, TIMES - 1);
  const total = await env.DB.prepare("SELECT count(*) AS count FROM messages WHERE workspace = ?")
    .bind(number)
    .first<number>("count");
  expect(total).toBe(200_000);
  await foldAll(NOW);
  for (const [name, cost] of Object.entries(await costsOf(meter))) {
    expect(cost.read, `${name}\n${breakdown(cost)}`).toBe(before[name]?.read);
  }
});
