/** The checks that every test runs behind find what they should. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";

import { databaseOf } from "../../../src/db/client/database.ts";
import { withRetry } from "../../../src/db/client/faults.ts";
import { users } from "../../../src/db/schema/schema.ts";
import { foreignRows } from "../guard/foreign-rows.ts";
import { inInvocation, MAX_STATEMENTS } from "../guard/invocation.ts";
import { selfComparisons } from "../guard/self-comparisons.ts";
import { crossings } from "../guard/workspace-databases.ts";
import { envWith } from "../support/faulty-env.ts";
import { elsewhere } from "./second-database.ts";

it("refuses a read and a write of a workspace in a database that doesn't hold it", async () => {
  const ref = await (await elsewhere()).ref();
  const guarded = envWith({});
  const at = (database: string) => databaseOf(guarded, { database }).$client;
  const read = (database: string) =>
    at(database).prepare("SELECT count(*) AS count FROM messages WHERE workspace = ?1").bind(ref.number).first("count");
  expect(await read("DB_1")).toBe(0);
  for (const database of ["DB", "DB_2"]) {
    await expect(read(database)).rejects.toThrow(`${database} got a statement about workspace ${ref.number}`);
    const list = at(database).prepare("SELECT * FROM users WHERE number IN (SELECT value FROM json_each(?1))");
    await expect(list.bind(JSON.stringify([ref.number * 2 ** 32 + 1])).all()).rejects.toThrow("which is in DB_1");
  }
  expect(crossings.splice(0)).toHaveLength(4);
});

it("refuses a read for a request that doesn't check whose rows it reads, in any batch", async () => {
  const workspace = await (await elsewhere()).ref();
  const db = databaseOf(envWith({}), workspace);
  const own = db.select().from(users).where(eq(users.workspace, workspace.number));
  for (const each of [() => withRetry(() => own), () => db.batch([own, own]).then((found) => found.flat())]) {
    await expect(inInvocation(each, true)).rejects.toThrow("A read doesn't check its workspace's id: select");
    expect(await inInvocation(each)).toEqual([]);
  }
});

it("finds a row that came past the checks", async () => {
  const ref = await (await elsewhere()).ref();
  expect(await foreignRows()).toEqual([]);
  const row = "INSERT INTO inbox_marks (item, dismissed_at) VALUES (?, 0)";
  await env.DB_2.prepare(row)
    .bind(ref.number * 2 ** 32 + 7)
    .run();
  expect(await foreignRows()).toEqual(["DB_2: inbox_marks"]);
  await env.DB_2.prepare("DELETE FROM inbox_marks").run();
});

it("ends an invocation that sends too many statements, and no other", async () => {
  const { DB } = envWith({});
  const send = (count: number) => DB.batch(Array.from({ length: count }, () => DB.prepare("SELECT 1")));
  await inInvocation(async () => {
    await send(MAX_STATEMENTS - 1);
    await DB.prepare("SELECT 1").first();
    await expect(DB.prepare("SELECT 1").first()).rejects.toThrow("Too many API requests by single Worker invocation.");
  });
  await inInvocation(() => send(MAX_STATEMENTS));
});

it.each([
  [
    `DELETE FROM dimension_values WHERE NOT EXISTS (SELECT 1 FROM traits other WHERE other.key = dimension AND other.value = value)`,
    ["other.value = value"],
  ],
  ["SELECT 1 FROM users u WHERE EXISTS (SELECT 1 FROM accounts WHERE number = account AND id = id)", ["id = id"]],
  [
    "SELECT 1 FROM users WHERE number IN (SELECT u.number FROM users u WHERE u.account > account)",
    ["u.account > account"],
  ],
  ['select 1 from "users" where exists (select 1 from "accounts" "a" where "a"."id" <> "id")', ["a.id <> id"]],
  ["SELECT 1 FROM users u WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.number = u.account AND a.id = u.id)", []],
  [
    "UPDATE users SET account = g.account FROM (SELECT l.user AS user, l.account AS account FROM messages l) g WHERE users.number = g.user",
    [],
  ],
  ["SELECT 1 FROM rollups r WHERE EXISTS (SELECT 1 FROM json_each(?1) e CROSS JOIN users u ON u.number = e.value)", []],
  ["SELECT 1 FROM folds WHERE workspace = ?1 UNION SELECT 1 FROM leases WHERE workspace = holder", []],
])("finds where a subquery compares a row with itself: %s", (sql, found) => {
  expect(selfComparisons(sql)).toEqual(found);
});

it("refuses a statement with such a subquery", async () => {
  const sql = "SELECT 1 FROM users WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.id = id)";
  await expect(envWith({}).DB.prepare(sql).first()).rejects.toThrow(
    "A subquery compares a row with itself, by a.id = id",
  );
});
