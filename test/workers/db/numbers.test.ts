/** Numbers of rows: `workspace · 2^32 + n` (docs/decisions/0024-workspace-scoped-numbers.md). */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { insertWorkspace } from "../../../src/db/workspaces/create-workspace.ts";
import { ownRange } from "../../../src/db/client/database.ts";
import { MAX_WORKSPACE_NUMBER } from "../../../src/db/schema/schema.ts";
import { foldAll } from "../ask/told-workspace.ts";
import { newIdentityWorkspace } from "../identity/identified-workspace.ts";
import { eraseAllWorkspaces, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const DAY_MS = 86_400_000;
const BATCH = 1_000;
const JSON_TYPE = { headers: { "Content-Type": "application/json" } };

let made = 0;
const message = (type: string, fields: Record<string, unknown>) => ({
  type,
  messageId: `numbered ${++made}`,
  ...(type === "track" && { event: "report.exported" }),
  ...fields,
});

/** Reads the numbers in a workspace from 1 on, by external id or name. */
async function numbersOf(workspace: TestWorkspace, table: "accounts" | "users" | "event_names" | "inbox_items") {
  const { number } = await workspace.ref();
  const name = { accounts: "kind || ' ' || external_id", users: "external_id", event_names: "name", inbox_items: "id" };
  const { results } = await env.DB.prepare(
    `SELECT ${name[table]} AS name, number - (?1 << 32) AS n FROM ${table} WHERE workspace = ?1 ORDER BY number`,
  )
    .bind(number)
    .all<{ name: string; n: number }>();
  return results.map(({ name: key, n }): [string, number] => [key, n]);
}

describe("numbers of accounts and users", () => {
  it("begin at 1 in every workspace, whatever others have stored", async () => {
    const [one, other] = [await newWorkspace(), await newWorkspace()];
    for (const workspace of [other, one, other]) {
      await workspace.post("/api/v1/cdp", message("track", { userId: `u${made}`, accountId: `a${made}` }));
    }
    const expected = { [one.id]: [1], [other.id]: [1, 2] };
    for (const workspace of [one, other]) {
      for (const table of ["accounts", "users"] as const) {
        expect((await numbersOf(workspace, table)).map(([, n]) => n)).toEqual(expected[workspace.id]);
      }
    }
  });

  it("follow the order of names in a batch of 1,000 new users", async () => {
    const workspace = await newWorkspace({ writeLimit: 100_000 });
    await workspace.post("/api/v1/cdp", message("track", { userId: "first", accountId: "acme" }));
    const places = Array.from({ length: BATCH }, (_, place) => place + 2);
    // Every other user is in a company, and the others have a personal account.
    const batch = places.map((n) => message("track", { userId: `u${n}`, ...(n % 2 === 0 && { accountId: `a${n}` }) }));
    await workspace.post("/api/v1/cdp", { batch });
    await workspace.post("/api/v1/cdp", { batch });
    expect(await numbersOf(workspace, "users")).toEqual([["first", 1], ...places.map((n) => [`u${n}`, n])]);
    const accounts = await numbersOf(workspace, "accounts");
    expect(accounts).toHaveLength(BATCH + 1);
    expect(accounts.slice(0, 3)).toEqual([
      ["company acme", 1],
      ["company a2", 2],
      ["company a4", 3],
    ]);
  });

  it("are not assigned again after the newest user is erased", async () => {
    const workspace = await newIdentityWorkspace();
    const track = (userId: string) => workspace.post("/api/v1/cdp", message("track", { userId }));
    await track("kept");
    await track("erased");
    expect((await workspace.erase("erased")).status).toBe(200);
    await track("erased");
    expect((await numbersOf(workspace, "users")).map(([, n]) => n)).toEqual([1, 2, 3]);
  });

  it("can't be stored outside of the workspace's range", async () => {
    const [{ number }, other] = [await (await newWorkspace()).ref(), await (await newWorkspace()).ref()];
    const insert = env.DB.prepare(
      "INSERT INTO users (number, id, workspace, external_id, created_at) VALUES (?, 'usr_x', ?, 'x', 0)",
    );
    await expect(insert.bind(ownRange(other).first, number).run()).rejects.toThrow("users_number");
  });
});

it("the workspace with the largest number is ingested, recomputed and asked, and is the last", async () => {
  const sequence = env.DB.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'workspaces'");
  const used = await env.DB.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'workspaces'").first<number>("seq");
  await eraseAllWorkspaces();
  await sequence.bind(MAX_WORKSPACE_NUMBER - 1).run();
  try {
    const workspace = await newWorkspace({ writeLimit: 100_000 });
    const ref = await workspace.ref();
    expect(ref.number).toBe(MAX_WORKSPACE_NUMBER);
    expect(ownRange(ref).last).toBe(Number.MAX_SAFE_INTEGER);
    const now = Date.now();
    const at = (days: number) => ({ timestamp: new Date(now - days * DAY_MS).toISOString() });
    // The tracks without an account follow a group and a name of one, so the order decides their account.
    const answer = await workspace.post("/api/v1/cdp", {
      batch: [
        message("group", { userId: "u1", groupId: "acme", traits: { plan: "pro" }, ...at(5) }),
        message("track", { userId: "u1", ...at(4) }),
        message("track", { userId: "u2", accountId: "globex", ...at(4) }),
        message("track", { userId: "u2", ...at(3) }),
        message("identify", { userId: "u2", traits: { role: "admin" }, ...at(3) }),
      ],
    });
    expect(answer).toMatchObject({ status: 200, body: { stored: 5 } });
    // The second takes the short path, which binds the numbers of the account and user.
    for (let place = 0; place < 2; place += 1) {
      await workspace.post("/api/v1/events", { accountId: "acme", userId: "u1", event: "login" });
    }
    const counts = async () => {
      const each: unknown[] = [];
      for (const account of ["acme", "globex"]) {
        const question = `How many events did ${account} have in the last 7 days?`;
        each.push((await workspace.post("/api/v1/ask", { question }, JSON_TYPE)).body["value"]);
      }
      const query = { find: "users", show: "list", where: [{ dimension: "event", is: "report.exported" }] };
      const { status, body } = await workspace.post("/api/v1/query", query, JSON_TYPE);
      each.push([status, JSON.stringify(body).includes('"externalId":"u2"')]);
      return each;
    };
    const before = await counts();
    expect(before).toEqual([3, 2, [200, true]]);
    await foldAll(now);
    expect(await counts()).toEqual(before);
    await foldAll(now + DAY_MS);
    expect(await numbersOf(workspace, "event_names")).toEqual([
      ["report.exported", 1],
      ["login", 2],
    ]);
    const { results } = await env.DB.prepare(
      "SELECT d.users, d.features FROM account_days d JOIN accounts a ON a.number = d.account WHERE a.workspace = ?",
    )
      .bind(ref.number)
      .all();
    expect(results).toContainEqual({ users: "[1]", features: '{"1":[1,[1]]}' });

    const next = {
      id: "ws_one_too_many",
      name: "One too many",
      writeLimit: 1,
      database: "DB",
      createdAt: 0,
    };
    await expect(insertWorkspace(env, next)).rejects.toThrow("workspaces_number_limit");
  } finally {
    await env.DB.prepare("DELETE FROM workspaces WHERE number = ?").bind(MAX_WORKSPACE_NUMBER).run();
    await sequence.bind(used ?? 0).run();
  }
});
