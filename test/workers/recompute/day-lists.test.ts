/** The lists of a day's summary are bounded, however many users and event names a sender has. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { capture } from "../support/messages.ts";
import { newWorkspace } from "../support/workspace.ts";

const USERS = 5_001;
const EVENTS = 1_500;

const fold = () => recompute(env, { now: Date.now(), trigger: "admin", clock: Date.now, budgetMs: 60_000 });

it("lists at most 5,000 users of a day and 20,000 characters of features, and questions count all of them", async () => {
  const workspace = await newWorkspace();
  await workspace.post("/api/v1/events", capture());
  await fold();
  const { number } = await workspace.ref();
  const yesterday = Math.floor(Date.now() / DAY_MS) - 1;
  await env.DB.batch(
    [
      `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${EVENTS})
       INSERT INTO event_names (number, workspace, name) SELECT (?1 << 32) + i, ?1, 'opened.' || i FROM n`,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${USERS})
       INSERT INTO rollups (account, day, user, event, count, last_at)
       SELECT account, ${yesterday}, (?1 << 32) + i, (?1 << 32) + 1 + i % ${EVENTS}, 2, 1 FROM n CROSS JOIN account_progress
       WHERE workspace = ?1`,
      `INSERT INTO workspace_days (workspace, day, events) VALUES (?1, ${yesterday}, ${2 * USERS})`,
      `UPDATE account_progress SET summarize_from = ${yesterday}, due_at = 0 WHERE workspace = ?1`,
    ].map((sql) => env.DB.prepare(sql).bind(number)),
  );
  await fold();
  const summary = await env.DB.prepare(
    "SELECT events, user_days, json_array_length(users) AS users, features FROM account_days WHERE account >> 32 = ?",
  )
    .bind(number)
    .first();
  expect(summary).toEqual({ events: 2 * USERS, user_days: USERS, users: 5_000, features: "{}" });
  const measure = async (name: string) => {
    const query = { find: "accounts", show: "list", measure: name, window: { last: 2, unit: "day" } };
    const { body } = await workspace.post("/api/v1/query", query, { headers: { "Content-Type": "application/json" } });
    return String(body["answer"]);
  };
  expect(await measure("features_used")).toContain("acme: 1,500 features");
  expect(await measure("events")).toContain("acme: 10,003 events");
  expect(await measure("active_users")).toContain("acme: 5,001 active users");
});
