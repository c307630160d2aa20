/** Section 8: the log line of a request has the times of its calls to databases and Durable Objects. */
import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { timed } from "../../../src/call-times.ts";
import type { AppEnv } from "../../../src/edge/app-context.ts";
import { requestLog } from "../../../src/edge/request-log.ts";
import { D1_OVERLOADED, databaseWith, envWith, limiterWith, sendWith, type Trip } from "../support/faulty-env.ts";
import { logged } from "../support/logged.ts";
import { batch, capture, track } from "../support/messages.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";
const DAYS = "?from=2026-10-01&to=2026-10-02";

/** Moves the clock of a test on. */
const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms);
const taking =
  (ms: number): Trip =>
  async (run) => {
    const result = await run();
    pass(ms);
    return result;
  };

describe("§8 the times in the log line of a request", () => {
  const [DATABASE_MS, OBJECT_MS] = [7, 3];
  let workspace: TestWorkspace;
  beforeAll(async () => {
    workspace = await newWorkspace({ writeLimit: 1_000 });
    await admin("PUT", `/workspaces/${workspace.id}/dpa`, { acceptedBy: "Ann", version: "1" });
    await workspace.post(NATIVE, capture());
    // An earlier file in the same runtime may have flooded the log, which then skips lines for a second.
    await scheduler.wait(1_000);
  });
  const send = (method: string, path: string, body: unknown, changes: Partial<Env>) => {
    const key = path.startsWith("/admin") ? env.ADMIN_TOKEN : workspace.key;
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    return sendWith(envWith(changes), method, path, body, { headers });
  };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it.each<[method: string, path: string, body: unknown, status: number, objectCalls: number]>([
    ["GET", NATIVE, undefined, 200, 0],
    ["GET", "/api/v1/rejected", undefined, 200, 0],
    ["GET", "/api/v1/accounts", undefined, 200, 0],
    ["GET", "/api/v1/accounts/acme", undefined, 200, 0],
    ["GET", "/api/v1/users/u1", undefined, 200, 0],
    ["GET", "/api/v1/inbox", undefined, 200, 0],
    ["GET", `/api/v1/archive${DAYS}`, undefined, 200, 0],
    ["GET", `/api/v1/export${DAYS}`, undefined, 200, 0],
    ["GET", "/api/v1/dimensions", undefined, 200, 0],
    ["GET", "/readyz", undefined, 200, 0],
    ["POST", "/api/v1/query", { find: "accounts", where: [], show: "count" }, 200, 0],
    ["POST", "/api/v1/ask", { question: "How many accounts are there?" }, 200, 0],
    ["DELETE", "/api/v1/inbox/itm_none/dismiss", undefined, 404, 0],
    ["POST", "/api/v1/users/erase", { userId: "nobody" }, 200, 0],
    ["POST", CDP, track(), 200, 1],
    ["POST", CDP, batch([track(), track({ event: null })]), 200, 1],
    ["POST", NATIVE, capture(), 200, 1],
    ["POST", NATIVE, { event: "x" }, 400, 1],
    ["POST", "/api/v1/identity", { accountId: "acme", traits: { company: "Acme" } }, 200, 1],
    ["GET", "/admin/workspaces", undefined, 200, 1],
    ["GET", "/admin/databases", undefined, 200, 0],
    ["POST", "/admin/workspaces", { name: "New", database: "DB" }, 201, 1],
  ])("§8 are those of the calls of %s %s %j", async (method, path, body, status, objectCalls) => {
    const { DB, trips } = databaseWith(taking(DATABASE_MS));
    const { WRITE_LIMITER, calls } = limiterWith(taking(OBJECT_MS));
    const { answer, line } = await logged(() => send(method, path, body, { DB, WRITE_LIMITER }));
    expect([answer.status, calls()]).toEqual([status, objectCalls]);
    expect(trips()).toBeGreaterThan(0);
    expect(line).toMatchObject({ databaseMs: DATABASE_MS * trips() });
    expect(line["limiterMs"]).toBe(objectCalls === 0 ? undefined : OBJECT_MS * objectCalls);
  });

  it("§8 are those of all calls when an administrator changes a workspace", async () => {
    const { DB, trips } = databaseWith(taking(DATABASE_MS));
    const { WRITE_LIMITER, calls } = limiterWith(taking(OBJECT_MS));
    const change = () => send("PATCH", `/admin/workspaces/${workspace.id}`, { writeLimit: 900 }, { DB, WRITE_LIMITER });
    const { answer, line } = await logged(change);
    expect(answer.status).toBe(200);
    expect(line).toMatchObject({ databaseMs: DATABASE_MS * trips(), limiterMs: OBJECT_MS * calls() });
  });

  it("§8 are those of calls that fail", async () => {
    const { DB, trips } = databaseWith(async () => {
      pass(DATABASE_MS);
      throw new Error(D1_OVERLOADED);
    });
    const { line } = await logged(() => send("GET", NATIVE, undefined, { DB }));
    expect(trips()).toBeGreaterThan(0);
    expect(line).toMatchObject({ status: 503, databaseMs: DATABASE_MS * trips() });
  });

  it("§8 count a time once in which several calls run, and leave out the time between calls", async () => {
    const app = new Hono<AppEnv>().use(requestLog).get("/", async (c) => {
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const both = [timed("databaseMs", () => first.promise), timed("databaseMs", () => second.promise)];
      pass(10);
      second.resolve();
      await both[1];
      pass(10);
      first.resolve();
      await both[0];
      pass(1_000);
      await timed("databaseMs", () => timed("databaseMs", async () => pass(5)));
      return c.body(null);
    });
    const lines: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
    await app.request("/", {}, envWith({}));
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ ms: 1_025, databaseMs: 25 });
  });

  it("§8 belong to the request that made the calls", async () => {
    const gate = Promise.withResolvers<void>();
    const app = new Hono<AppEnv>().use(requestLog).get("/:ms", async (c) => {
      const ms = Number(c.req.param("ms"));
      await timed("limiterMs", async () => {
        pass(ms);
        if (ms === 1) await gate.promise;
      });
      return c.body(null);
    });
    const lines: Record<string, unknown>[] = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(JSON.parse(line)));
    const slow = app.request("/1", {}, envWith({}));
    await app.request("/2", {}, envWith({}));
    gate.resolve();
    await slow;
    expect(lines.map(({ limiterMs }) => limiterMs)).toEqual([2, 3]);
  });
});
