/** Queries that would read too much: docs/wire/queries.md §16. They are refused before they read it. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";

import { MAX_READ_UNITS } from "../../../src/db/ask/query/shared-statement.ts";
import { newMeter, type Meter } from "../costs/meter.ts";
import { signedIn } from "../console/support/signed-in.ts";
import { refusal } from "../support/send.ts";
import { DAY_MS } from "./told-workspace.ts";

const TODAY = Math.floor(Date.now() / DAY_MS);
const ACCOUNTS = 100;
const DAYS = 600;

const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;

let meter: Meter;

/** Every account has a user, and the user an event a day. */
beforeAll(async () => {
  meter = await newMeter();
  const { number } = await meter.workspace.ref();
  const run = (sql: string) => env.DB.prepare(sql).bind(number).run();
  await run(`INSERT INTO accounts (number, id, workspace, kind, external_id, created_at)
    ${numbers(ACCOUNTS)} SELECT (?1 << 32) + 1 + i, 'acc_' || ?1 || '_' || i, ?1, 'company', 'company ' || i, 0 FROM n`);
  await run(`INSERT INTO users (number, id, workspace, external_id, account, account_via, created_at)
    ${numbers(ACCOUNTS)} SELECT (?1 << 32) + 1 + i, 'usr_' || ?1 || '_' || i, ?1, 'person ' || i, (?1 << 32) + 1 + i, 'group', 0 FROM n`);
  await run("INSERT INTO event_names (number, workspace, name) VALUES ((?1 << 32) + 1, ?1, 'login')");
  await run(`INSERT INTO rollups (account, day, user, event, count, last_at)
    ${numbers(ACCOUNTS * DAYS)} SELECT (?1 << 32) + 1 + i % ${ACCOUNTS}, ${TODAY} - 1 - i / ${ACCOUNTS}, (?1 << 32) + 1 + i % ${ACCOUNTS},
      (?1 << 32) + 1, 9, 0 FROM n`);
  await run(`INSERT INTO account_days (account, day, events, user_days, users, features)
    SELECT account, day, 9, 1, json_array(user & 0xffffffff), json_object('1', json_array(9, json_array(user & 0xffffffff)))
    FROM rollups WHERE account >> 32 = ?1`);
  await run(
    `INSERT INTO user_accounts SELECT user, account, min(day), max(day) FROM rollups WHERE account >> 32 = ?1 GROUP BY user, account`,
  );
  await run(`INSERT INTO account_progress (workspace, account, first_at, last_event_at, score_from)
    SELECT ?1, account, min(day) * ${DAY_MS}, max(day) * ${DAY_MS}, ${TODAY} FROM rollups WHERE account >> 32 = ?1 GROUP BY account`);
  await run(`INSERT INTO workspace_days (workspace, day, events)
    SELECT ?1, day, sum(events) FROM account_days WHERE account >> 32 = ?1 GROUP BY day`);
});

const JSON_TYPE = { "Content-Type": "application/json" };
const post = (body: object, path = "/api/v1/query") =>
  meter.workspace.post(path, body, { headers: { ...JSON_TYPE, Authorization: `Bearer ${meter.workspace.key}` } });

/** Ten filters over almost all days, each a day shorter. */
const filters = (condition: object) =>
  Array.from({ length: 10 }, (_, place) => ({ ...condition, window: { last: 799 - place, unit: "day" } }));

it.each([
  ["users", "summary", { dimension: "events", over: 0 }],
  ["users", "count", { dimension: "features_used", over: 0 }],
  ["features", "count", { dimension: "active_users", over: 0 }],
])(
  "§16 refuses a query of %s (%s) with ten filters over all days, and stops counting rollups at half the budget",
  async (find, show, filter) => {
    const query = { find, show, where: filters(filter), window: { all: true } };
    const { read } = await meter.request("POST", "/api/v1/query", JSON.stringify(query), JSON_TYPE);
    // The query would read 60,000 rollups in each window.
    expect(read).toBeLessThan(0.55 * MAX_READ_UNITS);
    const answer = await post(query);
    expect(answer).toMatchObject(refusal(400, "invalid_request"));
    expect(answer.body).toMatchObject({ error: { issues: [{ path: "where" }] } });
  },
);

it("§16 answers one or two filters over the last 90 days, and one account's over all days", async () => {
  const window = { last: 90, unit: "day" };
  for (const query of [
    { find: "users", show: "summary", window, where: [{ dimension: "events", over: 0 }] },
    {
      find: "accounts",
      show: "list",
      measure: "events",
      window,
      where: [
        { dimension: "event", is: "login" },
        { dimension: "active_users", over: 0 },
      ],
    },
    {
      find: "accounts",
      show: "list",
      where: [{ dimension: "account", is: "company 5" }, ...filters({ dimension: "events", over: 0 }).slice(1)],
    },
    { find: "events", show: "count", where: [{ dimension: "user", is: "person 5" }], window: { all: true } },
  ]) {
    const { status, body } = await post(query);
    expect([status, body.knows]).toEqual([200, true]);
  }
});

it("§15.6 says that a question asks for too much, in the API and in the console", async () => {
  const { number } = await meter.workspace.ref();
  // As if each account had thousands of users a day.
  await env.DB.prepare("UPDATE account_days SET user_days = 4000 WHERE account >> 32 = ?1").bind(number).run();
  await env.DB.prepare("UPDATE workspace_days SET events = 1000000 WHERE workspace = ?1").bind(number).run();
  const question = "Which accounts had the most active users in the last 90 days?";
  const asked = await post({ question }, "/api/v1/ask");
  expect(asked.body).toMatchObject({ ok: true, knows: false, reason: "too_many_rows" });
  const query = { find: "accounts", show: "list", measure: "active_users", window: { last: 90, unit: "day" } };
  expect((await post(query)).body).toMatchObject({
    error: { issues: [{ path: "window" }] },
  });
  const browser = await signedIn(meter.workspace.key);
  for (const fields of [{ q: question }, { query: JSON.stringify(query) }]) {
    const page = await browser.post(`/console/w/${meter.workspace.id}/ask`, fields);
    expect([page.status, page.html.includes("The query would read too much data")]).toEqual([200, true]);
  }
});
