/** docs/wire/storage.md §18: limits on what workspaces and databases store. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import { archiveKey } from "../../../src/core/archive/file-names.ts";
import { archiveWorkspace, listDueArchives } from "../../../src/services/archive/archive-workspace.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { type Changes, D1_FULL, databaseWith, envWith, sendWith, type Trip } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import { deliver, runCron } from "../support/run-cron.ts";
import { refusal } from "../support/send.ts";
import { admin, eraseAllWorkspaces, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const MINUTE_MS = 60_000;
const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const TODAY = Math.floor(NOON / DAY_MS);
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  await eraseAllWorkspaces();
});
afterEach(() => {
  vi.useRealTimers();
});

const fold = () => recompute(env, { now: Date.now(), trigger: "admin", clock: Date.now, budgetMs: 60_000 });

async function bytesOf(database: D1Database): Promise<number> {
  return (await database.prepare("SELECT 1").run()).meta.size_after;
}

/** Messages of about 4 KB. */
const batchOf = (name: string, count: number) => ({
  batch: Array.from({ length: count }, (_, n) =>
    track({ messageId: `${name} ${n}`, userId: "u", properties: { text: "x".repeat(4_000) } }),
  ),
});

async function idsIn(workspace: TestWorkspace): Promise<string[]> {
  const ids: string[] = [];
  for (
    let path: string | undefined = `/api/v1/export?from=${dateOf(TODAY - 30)}&to=${dateOf(TODAY + 1)}`;
    path !== undefined;
  ) {
    const { text, headers } = await workspace.get(path);
    ids.push(
      ...text
        .split("\n")
        .filter(Boolean)
        .map((line): string => JSON.parse(line).message_id),
    );
    const next = /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];
    path = next === undefined ? undefined : new URL(next).pathname + new URL(next).search;
  }
  return ids;
}

async function hotDays(workspace: TestWorkspace): Promise<string[]> {
  const { number } = await workspace.ref();
  const days = "SELECT DISTINCT received_at / 86400000 AS day FROM messages WHERE workspace = ? ORDER BY day";
  const { results } = await env.DB.prepare(days).bind(number).all<{ day: number }>();
  return results.map(({ day }) => `${TODAY - day} days ago`);
}

describe("§18 a workspace's storage limit", () => {
  it("§18 refuses messages from the limit on, charges nothing for them, and goes on reading", async () => {
    const workspace = await newWorkspace();
    const before = (await workspace.post("/api/v1/cdp", batchOf("first", 3))).body;
    expect(before.stored).toBe(3);
    const changed = await admin("PATCH", `/workspaces/${workspace.id}`, { storageLimitBytes: 25_000 });
    expect(changed.body.workspace).toMatchObject({ storageLimitBytes: 25_000 });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      statuses.push((await workspace.post("/api/v1/cdp", track({ messageId: `more ${n}`, userId: "u" }))).status);
    }
    expect(statuses).toEqual([200, 200, 507, 507, 507]);

    const refused = await workspace.post("/api/v1/events", { accountId: "a", userId: "u", event: "Opened" });
    expect(refused).toMatchObject(refusal(507, "storage_full"));
    expect(refused.headers.get("Retry-After")).toBe("3600");
    expect((await admin("GET", `/workspaces/${workspace.id}`)).body.workspace).toMatchObject({
      counters: { stored: 5, admitted: 5, refused: 4 },
    });
    expect((await workspace.get("/api/v1/events")).body.events).toHaveLength(5);
  });

  it("§18 ends when messages are archived, or the limit is lifted", async () => {
    const workspace = await newWorkspace();
    await workspace.post("/api/v1/cdp", batchOf("first", 3));
    await admin("PATCH", `/workspaces/${workspace.id}`, { storageLimitBytes: 1 });
    const sendOne = async (id: string) =>
      (await workspace.post("/api/v1/cdp", track({ messageId: id, userId: "u" }))).status;
    expect(await sendOne("a")).toBe(507);
    await admin("PATCH", `/workspaces/${workspace.id}`, { storageLimitBytes: 20_000 });
    await fold();
    expect(await sendOne("b")).toBe(200);
    expect(await sendOne("c")).toBe(507);
    await admin("POST", `/workspaces/${workspace.id}/archive`, { through: dateOf(TODAY) });
    expect(await sendOne("d")).toBe(200);
    await admin("PATCH", `/workspaces/${workspace.id}`, { storageLimitBytes: 1 });
    expect(await sendOne("e")).toBe(507);
    await admin("PATCH", `/workspaces/${workspace.id}`, { storageLimitBytes: null });
    expect(await sendOne("f")).toBe(200);
  });
});

/** Stores messages of 4 KB, received some days ago. */
async function withDays(counts: Readonly<Record<number, number>>): Promise<TestWorkspace> {
  const workspace = await newWorkspace({ writeLimit: 10_000 });
  for (const [ago, count] of Object.entries(counts).toReversed()) {
    vi.setSystemTime(NOON - Number(ago) * DAY_MS);
    await workspace.post("/api/v1/cdp", batchOf(ago, count));
  }
  vi.setSystemTime(NOON);
  return workspace;
}

describe("§18 a workspace whose archive has lost a file", () => {
  const through = dateOf(TODAY);
  it.each<[by: string, archive: (workspace: TestWorkspace) => Promise<unknown>, failed: unknown]>([
    [
      "the queue",
      async (workspace) => {
        const task = { task: "archive", workspace: await workspace.ref(), through: TODAY } as const;
        return deliver(task, { MAX_DATABASE_BYTES: "1" });
      },
      false,
    ],
    ["the API", async ({ id }) => (await admin("POST", `/workspaces/${id}/archive`, { through })).status, 500],
  ])("§18 has room again after messages were archived by %s", async (_, archive, failed) => {
    const workspace = await withDays({ 9: 1, 2: 5 });
    await fold();
    await archiveWorkspace(env, await workspace.ref(), { now: NOON, through: TODAY - 9 });
    await env.ARCHIVE.delete(archiveKey(workspace.id, { day: TODAY - 9, first: 1, last: 1 }));
    const json = { headers: { "Content-Type": "application/json" } };
    await workspace.post("/api/v1/users/erase", { userId: "u" }, json);
    await admin("PATCH", `/workspaces/${workspace.id}`, { storageLimitBytes: 500 });
    const sendOne = async (id: string) =>
      (await workspace.post("/api/v1/cdp", track({ messageId: id, userId: "v" }))).status;
    expect(await sendOne("a")).toBe(507);
    const lines = vi.spyOn(console, "log");
    expect(await archive(workspace)).toBe(failed);
    expect(lines.mock.calls.join()).toContain('"files":1,"messages":5,"complete":false');
    lines.mockRestore();
    expect(await sendOne("b")).toBe(200);
  });
});

/** New rows fit only where a page is almost empty, or after messages were deleted. */
const full: Trip = async (run, _number, statements = []) => {
  const grows = statements.findIndex(({ sql }) => /^\s*INSERT INTO (?!leases|archive_steps)/.test(sql));
  const shrinks = statements.findIndex(({ sql }) => sql.includes("DELETE FROM messages"));
  if (grows !== -1 && (shrinks === -1 || shrinks > grows)) throw new Error(D1_FULL);
  return run();
};

describe("§18 a database with little room", { timeout: 180_000 }, () => {
  it("§18 archives its largest workspaces early, down to three days, until half of it is free", async () => {
    const small = await withDays({ 9: 2 });
    const large = await withDays({ 9: 100, 6: 100, 5: 20, 2: 20 });
    await fold();
    const bytes = await bytesOf(env.DB);
    // Two days have to go.
    const half = bytes - 150 * 4_100;
    await runCron(NOON, { MAX_DATABASE_BYTES: String(2 * half) });
    expect(half / bytes).toBeLessThan(5 / 6);
    expect([await hotDays(large), await hotDays(small)]).toEqual([["5 days ago", "2 days ago"], ["9 days ago"]]);

    await runCron(NOON, { MAX_DATABASE_BYTES: String(Math.floor((await bytesOf(env.DB)) / 0.7)) });
    expect([await hotDays(large), await hotDays(small)]).toEqual([["2 days ago"], []]);
  });

  it("§18 archives as many workspaces early as it takes", async () => {
    // Most of its messages are too young to be archived early.
    const large = await withDays({ 9: 100, 2: 100, 1: 100, 0: 100 });
    const small: TestWorkspace[] = [];
    for (let n = 0; n < 14; n += 1) small.push(await withDays({ 9: 20 }));
    await fold();
    const bytes = await bytesOf(env.DB);
    const half = Math.floor((bytes / 0.65) * 0.5);
    // The queue may run all of them at once, before there is room.
    const maxBytes = String(Math.floor(bytes / 0.61));
    const listed = await listDueArchives(envWith({ MAX_DATABASE_BYTES: maxBytes }), "DB", NOON);
    expect(listed.filter((each) => "through" in each).length).toBeLessThan(1 + small.length);
    await runCron(NOON, { MAX_DATABASE_BYTES: String(2 * half) });
    expect(await bytesOf(env.DB)).toBeLessThan(half);
    expect(await hotDays(large)).toEqual(["2 days ago", "1 days ago", "0 days ago"]);
    const left = await Promise.all(small.map(hotDays));
    // All of the large workspace's old messages, and those of some small ones.
    expect(left.filter((days) => days.length > 0).length).toBeGreaterThan(7);
  });

  it("§18 that has no byte left deletes messages before it records their file", async () => {
    const workspace = await withDays({ 9: 20, 2: 20 });
    await fold();
    const sent = await idsIn(workspace);
    const run = archiveWorkspace(envWith(databaseWith(full)), await workspace.ref(), { now: NOON, through: TODAY });
    expect(await run).toMatchObject({ files: 2, messages: 40, complete: true });
    expect(await hotDays(workspace)).toEqual([]);
    expect(await idsIn(workspace)).toEqual(sent);
  });

  it("§18 that is full refuses messages until the cron has made room: neighbors lose none, and wait for one run", async () => {
    const neighbor = await newWorkspace({ writeLimit: 10_000 });
    const flood = await newWorkspace({ writeLimit: 100_000 });
    const maxBytes = (await bytesOf(env.DB)) + 4_000_000;
    let [bytes, refusals] = [0, 0];
    /** Refuses to grow, as D1 does. */
    const limited: Trip = async (run, _number, statements = []) => {
      if (bytes >= maxBytes && statements.some(({ sql }) => /\bINSERT\b/.test(sql))) {
        refusals += 1;
        throw new Error(D1_FULL);
      }
      const result = await run();
      bytes = await bytesOf(env.DB);
      return result;
    };
    const changes: Changes = { ...databaseWith(limited), MAX_DATABASE_BYTES: String(maxBytes) };
    const changed = envWith(changes);
    const post = async ({ key }: TestWorkspace, body: unknown) =>
      sendWith(changed, "POST", "/api/v1/cdp", body, { headers: { Authorization: `Bearer ${key}` } });

    const sent: string[] = [];
    const waiting: string[] = [];
    const refused: unknown[] = [];
    const sendWaiting = async () => {
      for (let id = waiting[0]; id !== undefined; id = waiting[0]) {
        const answer = await post(neighbor, { batch: [track({ messageId: id, userId: "n" })] });
        if (answer.status !== 200) {
          refused.push([answer.status, answer.body.error?.code, answer.headers.get("Retry-After")]);
          return;
        }
        sent.push(id);
        waiting.shift();
      }
    };
    const accepted: string[] = [];
    const waits: number[] = [];
    const failed: unknown[] = [];
    // The cron is down at first, so that nothing is folded when the database is full. Then it runs every five minutes.
    for (let minute = 0; minute < 45; minute += 1) {
      vi.setSystemTime(NOON + minute * MINUTE_MS);
      if (minute >= 25 && minute % 5 === 0) failed.push(...(await runCron(Date.now(), changes)).failed);
      for (let n = 0; n < 5; n += 1) {
        const body = batchOf(`flood ${minute} ${n}`, 10);
        const { status } = await post(flood, body);
        if (status === 200) accepted.push(...body.batch.map((each) => String(each["messageId"])));
      }
      waiting.push(`neighbor ${minute}`);
      await sendWaiting();
      waits.push(waiting.length);
    }
    expect(Math.max(...waits)).toBeGreaterThan(5);
    // The first run folds, the second one archives.
    expect(waits.slice(31)).toEqual(waits.slice(31).map(() => 0));
    expect([failed, refusals]).toEqual([[], 0]);
    expect(new Set(refused.map(String))).toEqual(new Set(["503,unavailable,60"]));
    expect(await idsIn(neighbor)).toEqual(sent);
    expect(sent).toHaveLength(45);
    expect(await idsIn(flood)).toEqual(accepted);
  });
});
