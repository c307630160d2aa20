/** Costs of queries: rows read grow with days, users and event names, not with events. No statement scans a table. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { countsDays } from "../../../src/core/ask/query/canonical.ts";
import { BUILT_IN, type Dimension } from "../../../src/core/ask/query/dimensions.ts";
import { type Query, querySchema } from "../../../src/core/ask/query/model.ts";
import { summaryQueries } from "../../../src/core/ask/query/summary.ts";
import type { Batch } from "../../../src/db/client/batch.ts";
import type { Statement } from "../../../src/db/client/statement.ts";
import { selectDimensions } from "../../../src/db/ask/query/dimension-values.ts";
import { addQueries } from "../../../src/db/ask/query/compile.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { drawQuery } from "../../../evals/ask/query/queries.ts";
import { EVENTS, NOW, TODAY } from "../../../evals/ask/query/world.ts";
import { randomOf } from "../../../evals/simulator/random.ts";
import { fullScans } from "../costs/full-scans.ts";
import { newWorkspace } from "../support/workspace.ts";
import { DAY_MS } from "./told-workspace.ts";

const ACCOUNTS = 20;
const USERS = 200;
const DAYS = 20;

const DIMENSIONS: readonly Dimension[] = [
  ...BUILT_IN,
  {
    name: "account.industry",
    type: "text",
    of: ["accounts", "users", "features", "items", "events"],
    values: ["rail"],
  },
  { name: "user.role", type: "text", of: ["users", "features", "events"], values: ["admin"] },
];

const neverCalled = () => {
  throw new Error("A query only adds statements.");
};

/** A batch that only collects statements. */
const collecting = (statements: Statement<unknown>[], workspace: number): Batch => ({
  add(query, values) {
    statements.push(query.bind({ workspace, ...values }));
    return () => [];
  },
  run: neverCalled,
  next: neverCalled,
});

/** The statements of the parts of a query, as the batch sends them. */
function statementsOf(queries: Query | Query[], workspace: number): Statement<unknown>[] {
  const statements: Statement<unknown>[] = [];
  const batch = collecting(statements, workspace);
  const find = () => ({ number: workspace * 1_000 });
  addQueries(batch, [queries].flat(), { dimensions: DIMENSIONS, today: TODAY, now: NOW, find });
  return statements;
}

it("§15.8 §16 scans no table for any query", { timeout: 120_000 }, async () => {
  const { number } = await (await newWorkspace()).ref();
  const random = randomOf("plans");
  for (let count = 0; count < 400; count += 1) {
    const query = drawQuery(random, DIMENSIONS, { account: ["acme"], user: ["ann"] });
    for (const { sql, values } of statementsOf(query, number))
      expect(await fullScans(sql, [...values]), `${JSON.stringify(query)}\n${sql}`).toEqual([]);
  }
});

/** The tables that a rebuild makes anew, and the part of the log that isn't folded yet. */
const FOLDED = /\b(?:FROM|JOIN) (?:tail|rollups|account_days|health_days|attribute_days|user_accounts)\b/;

it("§16 knows which queries a rebuild would give other answers", async () => {
  const { number } = await (await newWorkspace()).ref();
  const random = randomOf("folded");
  const seen = new Set<boolean>();
  for (let count = 0; count < 600; count += 1) {
    const query = drawQuery(random, DIMENSIONS, { account: ["acme"], user: ["ann"] });
    const [, answer] = statementsOf(query, number);
    const reads = FOLDED.test(answer?.sql ?? "");
    seen.add(reads);
    expect(countsDays(query) || !reads, JSON.stringify(query)).toBe(true);
  }
  expect(seen).toEqual(new Set([true, false]));
});

const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;

async function addSubjects(workspace: number, accounts = ACCOUNTS, users = USERS): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(`INSERT INTO accounts (number, id, workspace, kind, external_id, created_at)
      ${numbers(accounts)} SELECT (?1 << 32) + 1 + i, 'acc_' || ?1 || '_' || i, ?1, 'company', 'company ' || i, 0 FROM n`).bind(
      workspace,
    ),
    env.DB.prepare(`INSERT INTO users (number, id, workspace, external_id, account, account_via, created_at)
      ${numbers(users)} SELECT (?1 << 32) + 1 + i, 'usr_' || ?1 || '_' || i, ?1, 'person ' || i, (?1 << 32) + 1 + i % ${accounts}, 'group', 0
      FROM n`).bind(workspace),
  ]);
}

/** Adds an event of every user with every name on every day. */
async function addEvents(workspace: number): Promise<void> {
  const count = USERS * EVENTS.length * DAYS;
  const names = EVENTS.map((name, place) => `WHEN ${place} THEN '${name}'`).join(" ");
  await env.DB.prepare(
    `INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, account, user, event, occurred_at, received_at)
     ${numbers(count)}
     SELECT coalesce((SELECT max(seq) FROM messages WHERE workspace = ?1), ?1 << 32) + 1 + i, ?1, 'cdp', ?2 || ' ' || i, 1,
       'track', (?1 << 32) + 1 + i % ${ACCOUNTS}, (?1 << 32) + 1 + i % ${USERS},
       CASE i / ${USERS} % ${EVENTS.length} ${names} END, (${TODAY} - i / ${USERS * EVENTS.length}) * ${DAY_MS}, ${NOW}
     FROM n`,
  )
    .bind(workspace, crypto.randomUUID())
    .run();
  await recompute(env, { now: NOW, trigger: "admin", clock: () => 0, budgetMs: 600_000 });
}

const acme = { dimension: "account", is: "acme" };
const QUERIES: Readonly<Record<string, unknown>> = {
  "accounts by events, against before": {
    find: "accounts",
    show: "list",
    measure: "events",
    compare: { to: "before" },
  },
  "one account's active users": { find: "accounts", where: [acme], show: "value", measure: "active_users" },
  "active users of all accounts": { find: "accounts", show: "value", measure: "active_users" },
  "churned in the last 90 days": {
    find: "accounts",
    where: [{ dimension: "stage", became: "churned" }],
    show: "list",
    window: { last: 90, unit: "day" },
  },
  "MRR lost in the last 90 days": {
    find: "accounts",
    show: "value",
    measure: "mrr_lost",
    window: { last: 90, unit: "day" },
  },
  "newly at risk": { find: "accounts", where: [{ dimension: "health", newly: "at_risk" }], show: "list" },
  "users of an account by active days": { find: "users", where: [acme], show: "list", measure: "active_days" },
  "a user's events": { find: "events", where: [{ dimension: "user", is: "ann" }], show: "count" },
  "inactive users": { find: "users", where: [{ dimension: "active", is: false }], show: "count" },
  "events per week": { find: "events", show: "count", per: "week", window: { last: 12, unit: "week" } },
  "events per account": { find: "events", show: "count", per: "account" },
  "features by adoption": { find: "features", show: "list", measure: "adoption" },
  "features of an account": { find: "features", where: [acme], show: "list", measure: "active_users" },
  "open items": { find: "items", where: [{ dimension: "status", is: "open" }], show: "list" },
};

it("reads the same number of rows with three times the events on the same days", { timeout: 120_000 }, async () => {
  const { number } = await (await newWorkspace()).ref();
  await addSubjects(number);
  const costs: number[][] = [];
  for (let round = 0; round < 3; round += 1) {
    await addEvents(number);
    costs.push(await Promise.all(Object.values(QUERIES).map((query) => rowsRead(querySchema.parse(query), number))));
  }
  expect(costs[2]).toEqual(costs[0]);
});

async function rowsRead(queries: Query | Query[], workspace: number): Promise<number> {
  const statements = statementsOf(queries, workspace).map(({ sql, values }) => env.DB.prepare(sql).bind(...values));
  const results = await env.DB.batch(statements);
  return results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
}

it("§16 never reads each account once for each user", { timeout: 120_000 }, async () => {
  const [accounts, users] = [100, 1_000];
  const { number } = await (await newWorkspace()).ref();
  await addSubjects(number, accounts, users);
  await env.DB.prepare(
    `INSERT INTO user_accounts SELECT number, account, ${TODAY - 5}, ${TODAY} FROM users WHERE workspace = ?1`,
  )
    .bind(number)
    .run();
  const random = randomOf("products");
  for (let count = 0; count < 300; count += 1) {
    const query = drawQuery(random, DIMENSIONS, { account: ["acme"], user: ["ann"] });
    expect(await rowsRead(query, number), JSON.stringify(query)).toBeLessThan((accounts * users) / 2);
  }
});

const ACTIVE = [
  { dimension: "events", over: 0 },
  { dimension: "active_users", over: 0 },
  { dimension: "features_used", over: 0, window: { last: 10, unit: "day" } },
];

it("§16 evaluates the filters of a summary once for all its parts on the same days", { timeout: 60_000 }, async () => {
  const { number } = await (await newWorkspace()).ref();
  await addSubjects(number);
  await addEvents(number);
  for (const find of ["accounts", "users"] as const) {
    const where = ACTIVE.filter(({ dimension }) => find === "accounts" || dimension !== "active_users");
    const whole = { find, where, show: "summary" } as const;
    const parts = summaryQueries(querySchema.parse(whole), TODAY);
    expect(statementsOf(parts, number)).toHaveLength(2);
    const plain = summaryQueries(querySchema.parse({ find, where: [], show: "summary" }), TODAY);
    const filters = await rowsRead(querySchema.parse({ find, where, show: "count" }), number);
    // The window so far, its complete days, and the days before them.
    expect(await rowsRead(parts, number)).toBeLessThan((await rowsRead(plain, number)) + 3 * filters);
  }
});

it("§16 reads the same days once for several counts", { timeout: 60_000 }, async () => {
  const { number } = await (await newWorkspace()).ref();
  await addSubjects(number);
  await addEvents(number);
  const list = { find: "users", show: "list", measure: "events" };
  const one = await rowsRead(querySchema.parse(list), number);
  const where = [
    { dimension: "active_days", over: 1 },
    { dimension: "features_used", over: 1 },
    { dimension: "event", in: ["login", "report.exported"] },
  ];
  expect(await rowsRead(querySchema.parse({ ...list, where }), number)).toBeLessThan(1.5 * one);
});

it("answers the longest queries within the database's limits", async () => {
  const { number } = await (await newWorkspace()).ref();
  const windows = Array.from({ length: 10 }, (_, place) => ({ last: 30 + place, unit: "day" }));
  const filters = (dimension: string, condition: object) =>
    windows.map((window) => ({ dimension, ...condition, window }));
  const longest = [
    { find: "accounts", where: filters("seat_use", { over: 1 }), measure: "seat_use" },
    { find: "accounts", where: filters("unused_seats", { over: 1 }), measure: "unused_seats" },
    { find: "accounts", where: filters("stage", { became: "churned" }), measure: "events" },
    { find: "users", where: filters("features_used", { over: 1 }), measure: "events" },
    { find: "users", where: filters("score", { changed: "down" }), measure: "active_days" },
    { find: "features", where: filters("adoption", { over: 1 }), measure: "adoption" },
    {
      find: "features",
      where: [{ dimension: "user", is: "ann" }, ...filters("active_users", { over: 1 }).slice(1)],
      measure: "events",
    },
    { find: "events", where: filters("mrr", { changed: "up" }), measure: "active_users" },
  ].map((each) => ({ ...each, show: each.find === "events" ? "count" : "list", compare: { to: "before" } }));
  const measures = ["events", "active_days", "active_users", "features_used", "seat_use"];
  const where = measures.flatMap((dimension) =>
    [30, 60].map((last) => ({ dimension, over: 1, window: { last, unit: "day" } })),
  );
  for (const find of ["accounts", "users", "features"]) {
    const names = {
      accounts: measures,
      users: ["events", "active_days", "features_used"],
      features: ["events", "active_users"],
    };
    const own = where.filter(({ dimension }) => Reflect.get(names, find).includes(dimension));
    const parts = summaryQueries(querySchema.parse({ find, where: own, show: "summary" }), TODAY);
    expect(await rowsRead(parts, number), find).toBeGreaterThan(0);
  }
  for (const query of longest)
    expect(await rowsRead(querySchema.parse(query), number), JSON.stringify(query)).toBeGreaterThan(0);
});

it("§16 reads a bounded number of traits for the dimensions, however many messages aren't folded", async () => {
  const costs: number[] = [];
  for (const users of [200, 400]) {
    const { number } = await (await newWorkspace()).ref();
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, user, occurred_at, received_at)
        ${numbers(users)} SELECT (?1 << 32) + 1 + i, ?1, 'cdp', ?1 || ' ' || i, 1, 'identify', (?1 << 32) + 1 + i, 0, 0 FROM n`).bind(
        number,
      ),
      env.DB.prepare(`INSERT INTO traits (subject_kind, subject, key, value, occurred_at, seq)
        ${numbers(users)} SELECT 'user', (?1 << 32) + 1 + i, k.value, '"x"', 0, (?1 << 32) + 1 + i FROM n CROSS JOIN json_each(?2) k`).bind(
        number,
        JSON.stringify(Array.from({ length: 256 }, (_, place) => `key ${place}`)),
      ),
    ]);
    const statements: Statement<unknown>[] = [];
    selectDimensions(collecting(statements, number));
    const results = await env.DB.batch(statements.map(({ sql, values }) => env.DB.prepare(sql).bind(...values)));
    costs.push(results.reduce((sum, { meta }) => sum + meta.rows_read, 0));
    for (const { sql, values } of statements) expect(await fullScans(sql, [...values]), sql).toEqual([]);
  }
  const [few = 0, many = 0] = costs;
  expect(few).toBeGreaterThan(10_000);
  // A row for each message, and one for each account and user.
  expect(many - few).toBeLessThan(200 * 10);
});
