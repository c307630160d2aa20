/** What queries count against their budget: docs/queries.md#limits. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { newMeter, type Meter } from "../costs/meter.ts";
import { DAY_MS } from "./told-workspace.ts";

const TODAY = Math.floor(Date.now() / DAY_MS);
const ACCOUNTS = 100;
const DAYS = 600;
const ADA = 250_000;

const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
const isoDate = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

let meter: Meter;
let run: (sql: string) => Promise<unknown>;

/** Accounts with days but without events, and a user with a high number. */
beforeEach(async () => {
  meter = await newMeter();
  const { number } = await meter.workspace.ref();
  run = (sql) => env.DB.prepare(sql).bind(number).run();
  await run(`INSERT INTO accounts (number, id, workspace, kind, external_id, attributes, created_at) ${numbers(ACCOUNTS)}
    SELECT (?1 << 32) + 1 + i, 'acc_' || ?1 || '_' || i, ?1, 'company', 'company ' || i, json_object('plan', json_array('Pro', 1, 1)), 0 FROM n`);
  await run(`INSERT INTO users (number, id, workspace, external_id, account, account_via, created_at)
    VALUES ((?1 << 32) + ${ADA}, 'usr_' || ?1, ?1, 'ada', (?1 << 32) + 1, 'group', 0)`);
  await run(`INSERT INTO event_names (number, workspace, name, first_day, last_day)
    VALUES ((?1 << 32) + 1, ?1, 'login', ${TODAY - 500}, ${TODAY - 1})`);
  await run(`INSERT INTO account_progress (workspace, account, first_at, last_event_at, score_from)
    SELECT ?1, number, ${(TODAY - DAYS) * DAY_MS}, ${(TODAY - 1) * DAY_MS}, ${TODAY} FROM accounts WHERE workspace = ?1`);
  await run("INSERT INTO folds (workspace, watermark) VALUES (?1, ?1 << 32)");
  await run("INSERT INTO dimension_values VALUES (?1, 'plan', '\"Pro\"'), (?1, 'user.role', '\"admin\"')");
});

/** Adds a day of each account, with this text of features. The workspace seems to have any number of events. */
async function addDays({ days = DAYS, accounts = ACCOUNTS, users = 1, features = "{}" }) {
  await run(`INSERT INTO account_days (account, day, events, user_days, users, features) ${numbers(accounts * days)}
    SELECT (?1 << 32) + 1 + i % ${accounts}, ${TODAY} - 1 - i / ${accounts}, 10000, ${users}, '[]', '${features}' FROM n`);
  await run(
    `INSERT INTO workspace_days (workspace, day, events) ${numbers(DAYS)} SELECT ?1, ${TODAY} - 1 - i, 1000000 FROM n`,
  );
}

async function ask(query: object): Promise<{ outcome: unknown; read: number }> {
  const body = JSON.stringify(query);
  const { read } = await meter.request("POST", "/api/v1/query", body, { "Content-Type": "application/json" });
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${meter.workspace.key}` };
  const answer = (await meter.workspace.post("/api/v1/query", query, { headers })).body;
  const [issue] = answer.error?.issues ?? [];
  return { outcome: issue?.path ?? answer.reason ?? answer.knows, read };
}

const last = (count: number) => ({ last: count, unit: "day" });
const login = { dimension: "event", is: "login" };

describe("§16 ordinary queries", () => {
  it("§16 sought for a few users by trait don't read what others did", async () => {
    await run(`INSERT INTO users (number, id, workspace, external_id, account, account_via, created_at) ${numbers(400)}
      SELECT (?1 << 32) + 1 + i, 'usr_' || ?1 || '_' || i, ?1, 'person ' || i, (?1 << 32) + 1 + i % 4, 'group', 0 FROM n`);
    await run(`INSERT INTO traits (subject_kind, subject, key, value, occurred_at, seq)
      SELECT 'user', number, 'role', '"admin"', 0, 1 FROM users WHERE workspace = ?1 AND number & 0xffffffff <= 4`);
    await addDays({ days: 30, accounts: 4 });
    await run(`INSERT INTO rollups (account, day, user, event, count, last_at) ${numbers(400 * 30)}
      SELECT (?1 << 32) + 1 + i % 400 % 4, ${TODAY} - 1 - i / 400, (?1 << 32) + 1 + i % 400, (?1 << 32) + 1, 1, 0 FROM n`);
    await run(
      `INSERT INTO user_accounts SELECT user, account, min(day), max(day) FROM rollups WHERE account >> 32 = ?1 GROUP BY 1, 2`,
    );
    const where = [{ dimension: "user.role", is: "admin" }];
    for (const query of [
      { find: "users", show: "list", measure: "events", where, window: last(30) },
      { find: "events", show: "count", where, window: last(30) },
      { find: "users", show: "summary", where, window: last(7) },
    ]) {
      const { outcome, read } = await ask(query);
      expect(outcome).toBe(true);
      expect(read).toBeLessThan(6_000);
    }
  });

  it("§16 about an event know its first and last day without reading all days", async () => {
    await addDays({ features: JSON.stringify({ 1: ["x".repeat(300)] }) });
    for (const query of [
      { find: "features", show: "when", measure: "first_seen", where: [login] },
      { find: "features", show: "summary", where: [login], window: last(7) },
      { find: "features", show: "summary", where: [login, { dimension: "plan", is: "Pro" }], window: last(7) },
      { find: "features", show: "list", measure: "last_seen" },
    ])
      expect((await ask(query)).outcome).toBe(true);
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${meter.workspace.key}` };
    const seen = { find: "features", show: "when", measure: "first_seen", where: [login] };
    const { body } = await meter.workspace.post("/api/v1/query", seen, { headers });
    expect(JSON.stringify(body.value)).toContain(isoDate(TODAY - 500));
  });

  it("§16 about days without a list of features count the rollups of these days", async () => {
    await addDays({ days: 90, accounts: 1 });
    const where = [{ dimension: "account", is: "company 0" }];
    expect(
      (await ask({ find: "accounts", show: "list", measure: "features_used", where, window: last(90) })).outcome,
    ).toBe(true);
  });

  it("§16 about a named user count that user only, and a filter takes less than a user", async () => {
    await addDays({ days: 7 });
    await run(`INSERT INTO user_accounts VALUES ((?1 << 32) + ${ADA}, (?1 << 32) + 1, ${TODAY - 7}, ${TODAY - 1})`);
    const where = [{ dimension: "user", is: "ada" }];
    for (const query of [
      { find: "users", show: "summary", where, window: last(7) },
      { find: "events", show: "count", where: [...where, { dimension: "plan", is: "Pro" }], window: last(7) },
      { find: "users", show: "count", where: [{ dimension: "plan", is: "Pro" }] },
    ])
      expect((await ask(query)).outcome).toBe(true);
  });

  it("§16 of adoption read the days of all accounts once", async () => {
    // 1 unit a day for all accounts, and 11 for the features. Another unit would exceed the budget.
    const days = 680;
    await addDays({ days, features: JSON.stringify({ 1: ["x".repeat(80)] }) });
    expect((await ask({ find: "features", show: "list", measure: "adoption", window: last(days) })).outcome).toBe(true);
  });

  it("§16 about past values read changes, not the days on which a sender repeated a value", async () => {
    await run(`INSERT INTO attribute_days (account, day, attributes) ${numbers(ACCOUNTS * 100)}
      SELECT (?1 << 32) + 1 + i % ${ACCOUNTS}, ${TODAY} - 1 - i / ${ACCOUNTS}, json_object('plan', json_array('Pro', 1, i)) FROM n`);
    await run(`UPDATE account_progress SET timeline = '[[${TODAY - 100},{"plan":"Pro"}]]' WHERE workspace = ?1`);
    await addDays({ days: 1, accounts: 1 });
    const asOf = isoDate(TODAY - 5);
    for (const filter of [
      { dimension: "mrr", isUnknown: true, asOf },
      { dimension: "plan", is: "Pro", asOf },
      { dimension: "seats", changed: "up", window: last(28) },
    ])
      expect((await ask({ find: "accounts", show: "count", where: [filter] })).read).toBeLessThan(4_000);
  });
});

describe("§16 heavy queries", () => {
  it("§16 that read rollups, because a day has too many users, are refused", { timeout: 60_000 }, async () => {
    await addDays({ days: 44, accounts: 1, users: 5_001 });
    await run(`INSERT INTO rollups (account, day, user, event, count, last_at) ${numbers(10_000 * 44)}
      SELECT (?1 << 32) + 1, ${TODAY} - 1 - i / 10000, (?1 << 32) + 1 + i % 5001, (?1 << 32) + 1 + i / 5001 % 2, 1, 0 FROM n WHERE TRUE ON CONFLICT DO NOTHING`);
    expect((await ask({ find: "accounts", show: "list", measure: "active_users", window: last(44) })).outcome).toBe(
      "window",
    );
  });

  it("§16 that leave out an event count as much as those of all events", async () => {
    // A day has 6 events: they take 16 units if most of them are sorted, otherwise 7.
    await addDays({ features: JSON.stringify({ 1: ["x".repeat(120)] }) });
    const isNotLogin = { dimension: "event", isNot: "login" };
    const perEvent = { find: "events", show: "count", per: "event", window: last(DAYS) };
    expect((await ask(perEvent)).outcome).toBe("window");
    expect((await ask({ ...perEvent, where: [isNotLogin] })).outcome).toBe("window");
    expect((await ask({ ...perEvent, where: [login, isNotLogin] })).outcome).toBe(true);
    expect((await ask({ ...perEvent, where: [isNotLogin], window: last(90) })).outcome).toBe(true);
  });

  it("§16 of the MRR lost count the history of four values", async () => {
    // One of them takes 600,000 units.
    const plan = "x".repeat(30_000);
    await run(`UPDATE account_progress SET timeline = '[[${TODAY - 100},{"plan":"${plan}"}]]' WHERE workspace = ?1`);
    await addDays({ days: 1, accounts: 1 });
    const churned = { dimension: "stage", became: "churned", after: "active" };
    expect((await ask({ find: "accounts", show: "count", where: [churned] })).outcome).toBe(true);
    const { outcome, read } = await ask({ find: "accounts", show: "value", measure: "mrr_lost" });
    expect(outcome).toBe("window");
    expect(read).toBeLessThan(1_000);
  });

  it("§16 during a rebuild end before they count anything", async () => {
    await addDays({});
    await run(`DELETE FROM workspace_days WHERE workspace = ?1`);
    await run(`UPDATE folds SET rebuild_day = ${TODAY - 300} WHERE workspace = ?1`);
    for (const query of [
      { find: "accounts", show: "list", measure: "active_days", window: last(DAYS) },
      { find: "accounts", show: "count", where: [{ dimension: "active_days", over: 3, window: last(DAYS) }] },
      { find: "users", show: "count", where: [{ dimension: "first_seen", within: last(DAYS) }] },
    ]) {
      const { outcome, read } = await ask(query);
      expect(outcome).toBe("stale_data");
      expect(read).toBeLessThan(1_000);
    }
  });

  it("§16 count the messages that are not folded yet, once for each window", async () => {
    await run(`INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, account, event, occurred_at, received_at)
      VALUES ((?1 << 32) + 20000, ?1, 'cdp', 'm', 1, 'track', (?1 << 32) + 1, 'login', ${TODAY * DAY_MS}, 0)`);
    const where = Array.from({ length: 10 }, (_, index) => ({ dimension: "events", over: 0, window: last(index + 2) }));
    expect((await ask({ find: "accounts", show: "count", where })).outcome).toBe("where");
    expect((await ask({ find: "accounts", show: "count", where: where.slice(0, 4) })).outcome).toBe(true);
  });

  it("§16 count the traits that filters, columns and orders seek", async () => {
    const traits = Array.from({ length: 8 }, (_, place) => `user.t${place}`);
    await run(`INSERT INTO dimension_values ${numbers(8)} SELECT ?1, 'user.t' || i, '"x"' FROM n`);
    const where = traits.map((dimension) => ({ dimension, isNot: "y" }));
    const list = { find: "users", show: "list", with: traits.slice(0, 5), order: { by: "user.t6", direction: "up" } };
    // 250,000 users.
    expect((await ask({ ...list, where })).outcome).toBe("where");
    expect((await ask({ find: "users", show: "list", where: where.slice(0, 1) })).outcome).toBe(true);
    expect((await ask({ ...list, where: [{ dimension: "user", is: "ada" }] })).outcome).toBe(true);
  });

  it("§16 don't read long traits, and show how they begin", async () => {
    const value = JSON.stringify(`${"long ".repeat(2_000)}end`);
    await run(`INSERT INTO traits (subject_kind, subject, key, value, occurred_at, seq)
      VALUES ('user', (?1 << 32) + ${ADA}, 'bio', '${value}', 0, 1)`);
    await run("INSERT INTO dimension_values VALUES (?1, 'user.bio', '\"short\"')");
    const where = [
      { dimension: "user", is: "ada" },
      { dimension: "user.bio", isUnknown: false },
    ];
    const query = { find: "users", show: "count", per: "user.bio", where };
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${meter.workspace.key}` };
    const { body } = await meter.workspace.post("/api/v1/query", query, { headers });
    expect(body).toMatchObject({ knows: true, value: [{ "user.bio": `${"long ".repeat(52).slice(0, 256)}…` }] });
  });

  it("§16 that find too many entities are refused without counting, and the issue names what to change", async () => {
    await addDays({});
    await run(`UPDATE users SET number = (?1 << 32) + 900000 WHERE workspace = ?1`);
    const { outcome, read } = await ask({ find: "users", show: "list", measure: "events", window: last(DAYS) });
    expect(outcome).toBe("window");
    expect(read).toBeLessThan(1_000);
    expect((await ask({ find: "users", show: "count", where: [] })).outcome).toBe("where");
  });
});
