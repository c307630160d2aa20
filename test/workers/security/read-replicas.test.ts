/**
 * Reads from replicas: docs/decisions/0043-read-replicas.md. Each test changes something while the replica keeps the state
 * before, and asks the API and the console.
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";

import { runMove } from "../../../src/services/moves/move-workspace.ts";
import { signedIn } from "../console/support/signed-in.ts";
import { elsewhere } from "../databases/second-database.ts";
import { newIdentifiedWorkspace } from "../identity/identified-workspace.ts";
import { calm, finishMove, lateClock, startMove } from "../moves/moving.ts";
import { emptyTables } from "../support/database.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { setState } from "../support/half-changed.ts";
import { type Answer, ORIGIN } from "../support/send.ts";
import { admin, type TestWorkspace, ADMIN_HEADERS } from "../support/workspace.ts";
import { outcomesOf } from "../support/outcomes.ts";
import { replicated } from "../support/replicated.ts";
import { restorePoint, tablesOf } from "../support/restores.ts";

const { DB, catchUp, take } = replicated(env.DB, env.DB_2);
/** `DB_2` is the replica, not a database of workspaces. */
const { DB_2: _, ...bindings } = envWith({ DB });

beforeEach(catchUp);
afterAll(async () => {
  await emptyTables(await tablesOf(env.DB_2), env.DB_2);
});

const USERS = { find: "users", show: "list", measure: "events" };
const ACCOUNTS = { find: "accounts", show: "list", measure: "events" };
const EVENTS = { find: "events", show: "value", measure: "events" };
const OPEN_ITEMS = { find: "items", show: "count" };

/** Asks with a workspace's key. The readers throw when the service fails, unless the workspace is gone: a failure shows nothing. */
function reader({ id, key }: { id: string; key: string }, isGone = false) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const textOf = async (answer: Promise<Answer>) => {
    const { status, text } = await answer;
    if (status >= 500 && !isGone) throw new Error(`a reader returned ${status}: ${text}`);
    return text;
  };
  const send = (method: string, path: string, body?: object) =>
    textOf(sendWith(bindings, method, `/api/v1${path}`, body, { headers }));
  return {
    get: (path: string) => send("GET", path),
    query: (query: object) => send("POST", "/query", query),
    ask: (question: string) => send("POST", "/ask", { question }),
    page: async (path: string) => {
      const { cookie } = await signedIn();
      const site = { Cookie: cookie, "Sec-Fetch-Site": "same-origin" };
      return textOf(sendWith(bindings, "GET", `/console/w/${id}/${path}`, undefined, { headers: site }));
    },
  };
}

/** The texts of all readers that show people, names and counts. */
async function everything(workspace: { id: string; key: string }, isGone = false): Promise<string[]> {
  const { get, query, ask, page } = reader(workspace, isGone);
  const { results } = await env.DB.prepare("SELECT id FROM accounts WHERE external_id = ?").bind("acme").all();
  return [
    await get("/accounts"),
    await get("/accounts/acme"),
    await get("/events"),
    await get("/users/u1"),
    await query(USERS),
    await query(ACCOUNTS),
    await ask("Who are the most active users?"),
    await page("accounts"),
    await page(`accounts/${String(results[0]?.["id"])}`),
    await page("live"),
  ];
}

/** Counts rows of a workspace as a session reads them that demands nothing: the replica is behind. */
async function onReplica(sql: string, { number }: { number: number }): Promise<unknown> {
  const session = DB.withSession("first-unconstrained");
  const [result] = await session.batch<{ count: number }>([session.prepare(sql).bind(number)]);
  return result?.results[0]?.count;
}

async function identified(): Promise<TestWorkspace> {
  const workspace = await newIdentifiedWorkspace();
  await workspace.attach({ accountId: "acme", traits: { company: "Acme Corporation" } });
  await catchUp();
  take();
  return workspace;
}

describe("while a replica is behind", () => {
  it("§14 an item that was marked is not open", async () => {
    const workspace = await identified();
    const outcomes = await outcomesOf(workspace);
    const { id } = await outcomes.item({ subject: "x" });
    await catchUp();
    const { get, query, page } = reader(workspace);
    expect([await get("/inbox"), await page("inbox")].join()).toContain(id);
    expect(await query(OPEN_ITEMS)).toContain('"value":1');
    await workspace.post(`/api/v1/inbox/${id}/dismiss`, undefined);
    expect(
      await onReplica("SELECT count(*) AS count FROM inbox_marks WHERE item >> 32 = ?", await workspace.ref()),
    ).toBe(0);
    expect(await get("/inbox")).not.toContain(id);
    expect(await query(OPEN_ITEMS)).toContain('"value":0');
    expect(await page("inbox")).not.toContain(id);
  });

  it("§6.2 nobody sees an erased person", async () => {
    const workspace = await identified();
    expect((await everything(workspace)).filter((text) => text.includes("u1")).length).toBeGreaterThan(4);
    await catchUp();
    expect((await workspace.erase("u1")).status).toBe(200);
    const users = "SELECT count(*) AS count FROM users WHERE workspace = ? AND external_id = 'u1'";
    expect(await onReplica(users, await workspace.ref())).toBe(1);
    for (const text of await everything(workspace)) expect(text).not.toContain("u1");
  });

  it("§6.1 nobody sees identity traits of a withdrawn agreement", async () => {
    const workspace = await identified();
    const seen = (await everything(workspace)).filter((text) => text.includes("Acme Corporation"));
    expect(seen.length).toBeGreaterThan(3);
    await catchUp();
    expect((await workspace.withdraw()).status).toBe(200);
    const kept = "SELECT count(*) AS count FROM identity_traits WHERE workspace = ?";
    expect(await onReplica(kept, await workspace.ref())).toBe(1);
    for (const text of await everything(workspace)) expect(text).not.toContain("Acme Corporation");
  });

  it("§9.1 a workspace that has moved here has all its rows", async () => {
    const workspace = await elsewhere();
    const events = Array.from({ length: 40 }, (_each, place) => ({
      type: "track",
      userId: `u${place}`,
      event: "login",
    }));
    await workspace.post("/api/v1/cdp", { batch: events });
    await startMove(workspace.id, "DB");
    const ref = await workspace.ref();
    await runMove(calm, ref, { clock: lateClock, maxStatements: 1 });
    await catchUp();
    const states = "SELECT count(*) AS count FROM workspace_states WHERE number = ? AND state = 'arriving'";
    expect(await onReplica(states, ref)).toBe(1);
    await finishMove(ref);
    expect(await workspace.ref()).toMatchObject({ database: "DB" });
    expect(await onReplica(states, ref)).toBe(1);
    // The edge may use the key that it has cached until the source is erased, and reads there.
    const { body } = await admin("POST", `/workspaces/${workspace.id}/keys`, {});
    const { query, page } = reader({ id: workspace.id, key: body.key?.key ?? "" });
    expect(await query(EVENTS)).toContain('"value":40');
    expect(await page("live")).toContain("40 stored in total");
  });

  it("a restored database shows nothing of what came after the point", async () => {
    const workspace = await identified();
    const restore = await restorePoint(env.DB);
    await workspace.post("/api/v1/events", { accountId: "acme", userId: "later", event: "report.exported" });
    await catchUp();
    expect((await everything(workspace)).filter((text) => text.includes("later")).length).toBeGreaterThan(3);
    await restore();
    expect(await onReplica("SELECT count(*) AS count FROM messages WHERE workspace = ?", await workspace.ref())).toBe(
      2,
    );
    for (const text of await everything(workspace)) expect(text).not.toContain("later");
  });

  it("§9 nobody reads an erased workspace", async () => {
    const workspace = await identified();
    await setState(await workspace.ref(), "erased");
    expect(await onReplica("SELECT count(*) AS count FROM messages WHERE workspace = ?", await workspace.ref())).toBe(
      1,
    );
    for (const text of await everything(workspace, true)) expect(text).not.toMatch(/Acme|acme/);
  });
});

describe("a replica runs", () => {
  it("§16 the statements of a query, and the primary the look-ups before", async () => {
    const workspace = await identified();
    const { query, ask } = reader(workspace);
    for (const answer of [() => query(ACCOUNTS), () => ask("How many events were there?")]) {
      await answer();
      const { primary, replica } = take();
      expect(primary.join()).toContain("dimension_values");
      expect(replica.length).toBeGreaterThan(2);
    }
  });

  it("the statements of a page of the console, if the directory's database has the workspace", async () => {
    const [own, other] = [await identified(), await elsewhere()];
    for (const path of ["inbox", "accounts", "live", "start", "ask"]) {
      await reader(own).page(path);
      const { primary, replica } = take();
      expect([path, primary.length]).toEqual([path, 1]);
      expect(replica.length, path).toBeGreaterThan(1);
      await reader(other).page(path);
      expect(take(), path).toMatchObject({ replica: [] });
    }
  });

  it("no read of one round trip, and no part of an export, which leaves out people who were erased meanwhile", async () => {
    const workspace = await identified();
    const { get, page } = reader(workspace);
    for (const path of ["/accounts", "/accounts/acme", "/events", "/inbox", "/users/u1"]) await get(path);
    expect(take().replica).toEqual([]);
    expect(await page("settings/export?from=2020-01-01&to=2040-01-01")).toContain("report.exported");
    const { primary, replica } = take();
    expect(primary.join()).toContain("archive_erasures");
    expect(replica.join()).not.toContain("archive_erasures");
  });

  it("nothing of a request that may write, of a run, and of the administration", async () => {
    const { id, key } = await identified();
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const { cookie } = await signedIn();
    const form = { Cookie: cookie, Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded" };
    const event = { accountId: "acme", userId: "u2", event: "report.exported" };
    for (const [path, body, init] of [
      ["/api/v1/events", event, headers],
      ["/api/v1/users/erase", { userId: "u2" }, headers],
      [`/console/w/${id}/accounts`, "q=acme", form],
      [`/console/w/${id}/settings`, "name=Renamed&writeLimit=100", form],
      [`/console/w/${id}/settings/recompute`, "", form],
      ["/admin/recompute", undefined, ADMIN_HEADERS],
      [`/admin/workspaces/${id}/archive`, { through: "2020-01-01" }, ADMIN_HEADERS],
    ] as const) {
      const { status } = await sendWith(bindings, "POST", path, body, { headers: init });
      expect([path, status]).toEqual([path, path.includes("settings") ? 303 : 200]);
      const { primary, replica } = take();
      expect([path, replica]).toEqual([path, []]);
      expect(primary.length, path).toBeGreaterThan(1);
    }
  });
});
