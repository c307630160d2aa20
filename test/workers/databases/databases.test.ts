/** contract §11: which databases take new workspaces, and what administrators see of them. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";

import { MAX_DATABASES } from "../../../src/config.ts";
import { readDatabases, recordSize } from "../../../src/db/databases/database-capacity.ts";
import { checkDatabases } from "../../../src/db/databases/check-databases.ts";
import { markErased } from "../../../src/db/workspaces/erase-workspace.ts";
import { runScheduled } from "../../../src/scheduled.ts";
import { eraseMarked } from "../../../src/services/workspaces/workspace-changes.ts";
import { signedIn } from "../console/support/signed-in.ts";
import { textOf } from "../console/support/page-text.ts";
import { MAX_STATEMENTS } from "../guard/invocation.ts";
import { addNamedUsers } from "../support/bulk-rows.ts";
import { emptyTables } from "../support/database.ts";
import { databaseWith, envWith } from "../support/faulty-env.ts";
import { replaceAcceptance } from "../support/half-changed.ts";
import { deliver, heldQueue, runCron } from "../support/run-cron.ts";
import { refusal } from "../support/send.ts";
import { admin, eraseAllWorkspaces, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { elsewhere, refOf } from "./second-database.ts";

const GIGABYTE = 1_000_000_000;
const DAY_MS = 86_400_000;

beforeEach(async () => {
  await eraseAllWorkspaces();
  await emptyTables(["databases"]);
  // Two databases are enough here.
  await admin("PATCH", "/databases/DB_2", { state: "draining" });
});

const Listed = z.array(
  z.looseObject({ state: z.string(), bytes: z.number(), share: z.number(), oldestUnfoldedAt: z.string().nullable() }),
);
const databases = async () => Listed.parse((await admin("GET", "/databases")).body["databases"]);
const create = async (fields: Record<string, unknown> = {}) => admin("POST", "/workspaces", { name: "New", ...fields });
/** The database of a new workspace. */
async function placed(fields?: Record<string, unknown>): Promise<string> {
  const { body, text } = await create(fields);
  if (body.workspace === undefined) throw new Error(text);
  return (await refOf(body.workspace.id)).database;
}

describe("§11 GET /admin/databases", () => {
  it("§11 lists each database with its size, its workspaces and its oldest unfolded message", async () => {
    const before = Date.now();
    const { post } = await elsewhere();
    await elsewhere();
    await post("/api/v1/events", { accountId: "acme", userId: "u1", event: "report.exported" });
    const size = { bytes: expect.any(Number), share: expect.any(Number), state: "open" };
    const listed = await databases();
    expect(listed).toEqual([
      { name: "DB", ...size, workspaces: 0, oldestUnfoldedAt: null },
      { name: "DB_1", ...size, workspaces: 2, oldestUnfoldedAt: expect.stringMatching(/Z$/) },
      { name: "DB_2", ...size, workspaces: 0, oldestUnfoldedAt: null, state: "draining" },
    ]);
    for (const { bytes, share } of listed) {
      expect(bytes).toBeGreaterThan(10_000);
      expect(share).toBe(bytes / (10 * GIGABYTE));
    }
    expect(Date.parse(listed[1]?.oldestUnfoldedAt ?? "")).toBeGreaterThanOrEqual(before);
    await runCron(Date.now() + 2 * DAY_MS);
    expect(await databases()).toMatchObject(listed.map(() => ({ oldestUnfoldedAt: null })));
  });
});

describe("§11 a new workspace", () => {
  it("§11 goes to the open database with the most room, or to the one that the call names", async () => {
    expect(await placed()).toBe("DB");
    await recordSize(env, "DB", 2 * GIGABYTE);
    await recordSize(env, "DB_1", GIGABYTE);
    expect([await placed(), await placed({ database: "DB" })]).toEqual(["DB_1", "DB"]);
    const { body } = await admin("PATCH", "/databases/DB_1", { state: "draining" });
    expect(body).toMatchObject({ ok: true, database: { name: "DB_1", state: "draining" } });
    expect(await placed()).toBe("DB");
    await admin("PATCH", "/databases/DB_1", { state: "open" });
    expect(await placed()).toBe("DB_1");
  });

  it.each(["DB_1", "DB_9", "TASKS"])("§11 is not created in %s, which is draining or unknown", async (database) => {
    await admin("PATCH", "/databases/DB_1", { state: "draining" });
    expect(await create({ database })).toMatchObject(refusal(400, "invalid_request", "database"));
    expect((await admin("GET", "/workspaces")).body.workspaces).toEqual([]);
  });

  it("§11 is not created without an open database, and the console says so", async () => {
    const inside = await signedIn();
    const form = { creationId: "0".repeat(24), name: "New", writeLimit: "70" };
    for (const name of ["DB", "DB_1"]) await inside.post(`/console/databases/${name}`, { state: "draining" });
    expect(await create()).toMatchObject(refusal(400, "invalid_request", "database"));
    const page = await inside.post("/console/workspaces", form);
    expect(page).toMatchObject({ status: 400, html: expect.stringContaining("No database takes new workspaces.") });
    expect(page.html).toMatch(/name="name"[^>]* value="New"[^]*name="writeLimit"[^>]* value="70"/);
    await inside.post("/console/databases/DB", { state: "open" });
    expect((await inside.post("/console/workspaces", form)).status).toBe(200);
  });
});

async function measured(): Promise<number | null> {
  await runCron(Date.now());
  return env.DB.prepare("SELECT bytes FROM databases WHERE name = 'DB_1'").first<number>("bytes");
}

/** Objects that note where their first call asked for them. */
function notedObjects() {
  const options: unknown[] = [];
  const WRITE_LIMITER = new Proxy(env.WRITE_LIMITER, {
    get: (target, name) => (id: string, asked: unknown) => {
      if (name !== "getByName") throw new Error(`not used: ${String(name)}`);
      options.push(asked);
      return target.getByName(id);
    },
  });
  return { WRITE_LIMITER, options };
}

describe("a workspace's Durable Object", () => {
  it("is created at the location of its database, which is a variable", async () => {
    const { WRITE_LIMITER, options } = notedObjects();
    await elsewhere(Object.assign(envWith({ WRITE_LIMITER }), { DB_LOCATION: "enam", DB_1_LOCATION: "weur" }));
    expect(options[0]).toEqual({ locationHint: "weur" });
  });

  it("is not created at an unknown location", async () => {
    const wrong = Object.assign(envWith({}), { DB_1_LOCATION: "europe" });
    await expect(elsewhere(wrong)).rejects.toThrow("DB_1_LOCATION must be one of wnam, enam,");
    expect((await admin("GET", "/workspaces")).body.workspaces).toEqual([]);
  });
});

describe("§11 a database", () => {
  it("§11 is full from 90 % on until it is below 80 % again, whatever an administrator says", async () => {
    const states: unknown[] = [];
    for (const gigabytes of [8.9, 9, 8.9, 8, 7.9, 8.9]) {
      await recordSize(env, "DB_1", gigabytes * GIGABYTE);
      await admin("PATCH", "/databases/DB_1", { state: "open" });
      states.push((await databases())[1]?.state);
    }
    expect(states).toEqual(["open", "full", "full", "full", "open", "open"]);
    await recordSize(env, "DB_1", 9 * GIGABYTE);
    expect((await create({ database: "DB_1" })).status).toBe(400);
  });

  it("§11 is measured by the cron, and is smaller after its rows are deleted", async () => {
    const { id, post } = await elsewhere();
    const batch = Array.from({ length: 500 }, (_, n) => ({
      type: "track",
      event: `e${n}`,
      userId: "u",
      properties: { n: "x".repeat(500) },
    }));
    await post("/api/v1/cdp", { batch });
    const filled = await measured();
    await admin("DELETE", `/workspaces/${id}`);
    expect(filled).toBeGreaterThan(300_000);
    expect(await measured()).toBeLessThan(filled ?? 0);
  });

  it("§11 that the deployment doesn't bind is 404, and an unknown state is 400", async () => {
    expect(await admin("PATCH", "/databases/DB_9", { state: "open" })).toMatchObject(refusal(404, "not_found"));
    expect(await admin("PATCH", "/databases/DB_1", { state: "full" })).toMatchObject(
      refusal(400, "invalid_request", "state"),
    );
  });
});

/** Leaves the longest change of an agreement to the cron: traits under an acceptance that a newer one replaced later. */
async function interruptAgreement(workspace: Pick<TestWorkspace, "ref">): Promise<void> {
  const ref = await workspace.ref();
  await replaceAcceptance(ref);
  await addNamedUsers(ref, 3_500, env.DB_1);
}

describe("the cron", () => {
  it("sends few statements, however many databases there are, and so does a sweep", async () => {
    await admin("PATCH", "/databases/DB_2", { state: "open" });
    for (const name of ["DB", "DB_1", "DB_2"] as const) await elsewhere(env, name);
    for (let count = 0; count < 12; count += 1) await interruptAgreement(await elsewhere());
    const sent = { DB: 0, DB_1: 0, DB_2: 0 };
    const counted = (name: keyof typeof sent) =>
      databaseWith((run, _, statements = []) => {
        sent[name] += statements.length;
        return run();
      }, env[name]).DB;
    // The first run of an hour, of databases that are nearly full.
    const changes = { DB: counted("DB"), DB_1: counted("DB_1"), DB_2: counted("DB_2"), MAX_DATABASE_BYTES: "1" };
    const { TASKS, queued } = heldQueue();
    await runScheduled(envWith({ TASKS, ...changes }), Date.UTC(2100, 0, 1));
    const sweeps = queued.filter((task) => task.task === "sweep");
    expect(sweeps.map(({ database }) => database)).toEqual(["DB", "DB_1", "DB_2"]);
    // Only changes of agreements need a workspace's database.
    expect(sent.DB_2).toBe(0);
    expect(sent.DB + sent.DB_1).toBeLessThan(200);
    for (const sweep of sweeps) {
      Object.assign(sent, { DB: 0, DB_1: 0, DB_2: 0 });
      await deliver(sweep, { TASKS, ...changes }, Date.UTC(2100, 0, 1));
      expect(sent.DB + sent.DB_1 + sent.DB_2).toBeLessThan(16);
    }
  });

  it("shares an invocation's statements with nothing that asks all databases", async () => {
    const { id } = await newWorkspace();
    const ref = await refOf(id);
    await markErased(env, ref, Date.now());
    for (const ask of [
      (changed: Env) => readDatabases(changed),
      (changed: Env) => checkDatabases(changed),
      (changed: Env) => eraseMarked(changed, ref, Date.now()),
    ]) {
      let statements = 0;
      const counted = (database: D1Database) =>
        databaseWith((run, _, sent = []) => {
          statements += sent.length;
          return run();
        }, database).DB;
      const names = Array.from({ length: MAX_DATABASES - 1 }, (_, place) => `DB_${place + 1}`);
      const others = Object.fromEntries(names.map((name) => [name, counted(env.DB_2)]));
      await ask({ ...envWith({ TASKS: heldQueue().TASKS }), ...others, DB: counted(env.DB) });
      expect(statements).toBeGreaterThan(MAX_DATABASES - 2);
      expect(statements).toBeLessThan(MAX_STATEMENTS - 50);
    }
  });
});

describe("the console's databases", () => {
  it("are shown to administrators only, with state, size, share and workspaces", async () => {
    const { key } = await newWorkspace();
    const inside = await signedIn();
    await inside.post("/console/databases/DB_1", { state: "draining" });
    const text = textOf((await inside.get("/console/databases")).html);
    expect(text).toMatch(/DB open \d+ KB 0% – 1 – none Drain DB_1 draining \d+ KB 0% – 0 – none Open/);
    const tenant = await signedIn(key);
    expect((await tenant.get("/console/databases")).status).toBe(403);
    expect((await tenant.post("/console/databases/DB_1", { state: "open" })).status).toBe(403);
    expect((await inside.post("/console/databases/DB_7", { state: "open" })).status).toBe(404);
  });
});
