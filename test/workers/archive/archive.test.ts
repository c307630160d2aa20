/** docs/wire/export.md §17: messages move to the archive, and reads show both tiers as one. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import { readParquet } from "../../../src/archive/parquet.ts";
import { ArchiveUnavailable, sha256 } from "../../../src/archive/store.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import { archiveWorkspace } from "../../../src/services/archive/archive-workspace.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { runMove } from "../../../src/services/moves/move-workspace.ts";
import { exportDays, exportPage } from "../../../src/services/archive/read-archive.ts";
import { textOf } from "../console/support/page-text.ts";
import { signedIn } from "../console/support/signed-in.ts";
import { calm, finishMove, lateClock, startMove } from "../moves/moving.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import { D1_BROKEN, databaseWith, envWith, type Trip } from "../support/faulty-env.ts";
import { freeLeases, holdLease } from "../support/leases.ts";
import { track } from "../support/messages.ts";
import { runCron } from "../support/run-cron.ts";
import { send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const TODAY = Math.floor(Date.now() / DAY_MS);
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Folds everything. */
const fold = () => recompute(env, { now: Date.now(), trigger: "admin", clock: Date.now, budgetMs: 60_000 });

/** Dates the workspace's messages back: each as many days as given, in their order. */
async function receivedDaysAgo(workspace: TestWorkspace, ...days: number[]): Promise<void> {
  const { number } = await workspace.ref();
  await env.DB.batch(
    days.map((ago, place) =>
      env.DB.prepare("UPDATE messages SET received_at = ?1 WHERE seq = (?2 << 32) + ?3").bind(
        (TODAY - ago) * DAY_MS + 1_000 + place,
        number,
        place + 1,
      ),
    ),
  );
}

async function hot(workspace: TestWorkspace): Promise<string[]> {
  const { number } = await workspace.ref();
  const { results } = await env.DB.prepare("SELECT message_id FROM messages WHERE workspace = ? ORDER BY seq")
    .bind(number)
    .all<{ message_id: string }>();
  return results.map(({ message_id: id }) => id);
}

async function exported(workspace: TestWorkspace, from = TODAY - 500, to = TODAY): Promise<Record<string, unknown>[]> {
  const { text, status, headers } = await workspace.get(`/api/v1/export?from=${dateOf(from)}&to=${dateOf(to)}`);
  expect([status, headers.get("Content-Type")]).toEqual([200, "application/x-ndjson"]);
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const Files = z.array(
  z.object({ name: z.string(), day: z.string(), messages: z.number(), bytes: z.number(), sha256: z.string() }),
);

const listFiles = async (workspace: TestWorkspace) => {
  const { body } = await workspace.get(`/api/v1/archive?from=${dateOf(TODAY - 500)}&to=${dateOf(TODAY)}`);
  return Files.parse(body["files"]);
};

/** Makes a workspace with four folded messages, received 40, 40, 39 and 0 days ago. */
async function oldWorkspace(): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  const sent = [
    track({ messageId: "a", userId: "u1", properties: { path: "/a", deep: { __proto__x: [1, null] } } }),
    track({ messageId: "b", userId: "u2", properties: { accountId: "acme" } }),
    { type: "group", messageId: "c", userId: "u1", groupId: "acme", traits: { plan: "pro" } },
    track({ messageId: "d", userId: "u1" }),
  ];
  await workspace.post("/api/v1/cdp", sent);
  await receivedDaysAgo(workspace, 40, 40, 39);
  await fold();
  return workspace;
}

describe("the archive", () => {
  it("moves messages older than the hot days into a file for each day, and the export shows each message once", async () => {
    const workspace = await oldWorkspace();
    const before = await exported(workspace);
    expect(before.map(({ message_id: id }) => id)).toEqual(["a", "b", "c", "d"]);
    await runCron(Date.now());
    expect(await hot(workspace)).toEqual(["d"]);
    expect(await exported(workspace)).toEqual(before);
    expect(await listFiles(workspace)).toMatchObject([
      { name: `${dateOf(TODAY - 40)}_1-2.parquet`, day: dateOf(TODAY - 40), messages: 2 },
      { name: `${dateOf(TODAY - 39)}_3-3.parquet`, day: dateOf(TODAY - 39), messages: 1 },
    ]);
    const { objects } = await env.ARCHIVE.list({ prefix: `v1/${workspace.id}/` });
    expect(objects.map(({ key }) => key)).toEqual([
      `v1/${workspace.id}/received_date=${dateOf(TODAY - 40)}/1-2.parquet`,
      `v1/${workspace.id}/received_date=${dateOf(TODAY - 39)}/3-3.parquet`,
    ]);
  });

  it("reads what it archives, however many newer messages there are", async () => {
    const workspace = await oldWorkspace();
    const newer = Array.from({ length: 1_000 }, (_, n) => track({ messageId: `newer ${n}`, userId: "u1" }));
    expect((await workspace.post("/api/v1/cdp", { batch: newer })).status).toBe(200);
    await fold();
    let rows = 0;
    const counted: Trip = async (run) => {
      const result = await run();
      for (const [, read] of JSON.stringify(result).matchAll(/"rows_read":(\d+)/g)) rows += Number(read);
      return result;
    };
    const done = await archiveWorkspace(envWith(databaseWith(counted)), await workspace.ref(), { now: Date.now() });
    expect(done).toMatchObject({ files: 2, messages: 3 });
    expect(rows).toBeLessThan(500);
  });

  it("exports only the days that are asked for, from both tiers", async () => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    const ids = async (from: number, to: number) =>
      (await exported(workspace, from, to)).map(({ message_id: id }) => id);
    expect(await ids(TODAY - 40, TODAY - 40)).toEqual(["a", "b"]);
    expect(await ids(TODAY - 39, TODAY)).toEqual(["c", "d"]);
    expect(await ids(TODAY, TODAY)).toEqual(["d"]);
    expect(await ids(TODAY - 38, TODAY - 1)).toEqual([]);
  });

  it("§17 links the list of files to an export of the messages that are not in them", async () => {
    const workspace = await oldWorkspace();
    const rest = async () => {
      const { headers } = await workspace.get(`/api/v1/archive?from=${dateOf(TODAY - 40)}&to=${dateOf(TODAY)}`);
      const [, link = ""] = /^<([^>]+)>; rel="related"$/.exec(headers.get("Link") ?? "") ?? [];
      const { text } = await workspace.get(new URL(link).pathname + new URL(link).search);
      return [...text.matchAll(/"message_id":"(\w)"/g)].map(([, id]) => id);
    };
    expect(await rest()).toEqual(["a", "b", "c", "d"]);
    await runCron(Date.now());
    expect(await rest()).toEqual(["d"]);
  });

  it("archives up to a day on demand, today included, and then stores the same message again", async () => {
    const workspace = await oldWorkspace();
    const through = { through: dateOf(TODAY) };
    expect((await admin("POST", `/workspaces/${workspace.id}/archive`, through)).body).toEqual({
      ok: true,
      files: 3,
      messages: 4,
      complete: true,
    });
    expect(await hot(workspace)).toEqual([]);
    expect(await exported(workspace)).toHaveLength(4);
    await workspace.post("/api/v1/cdp", track({ messageId: "e" }));
    expect((await admin("POST", `/workspaces/${workspace.id}/archive`, through)).body).toMatchObject({ messages: 0 });
    await fold();
    expect((await admin("POST", `/workspaces/${workspace.id}/archive`, through)).body).toMatchObject({ messages: 1 });
    expect((await listFiles(workspace)).at(-1)?.name).toBe(`${dateOf(TODAY)}_5-5.parquet`);
  });

  it("§1 begins the list of events and the live page after it, and both say so", async () => {
    const workspace = await oldWorkspace();
    const list = () => workspace.get("/api/v1/events");
    expect((await list()).body["archivedUntil"]).toBeNull();
    await runCron(Date.now());
    const until = new Date((TODAY - 39) * DAY_MS + 1_002).toISOString();
    expect((await list()).body).toMatchObject({ events: [{ messageId: "d" }], nextCursor: null, archivedUntil: until });
    const page = await (await signedIn(workspace.key)).get(`/console/w/${workspace.id}/live`);
    expect(textOf(page.html)).toContain(`received until ${dateOf(TODAY - 39)} 00:00 UTC are in the archive`);
  });

  it("returns a file, parts of it and its version", async () => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    const [file] = await listFiles(workspace);
    if (file === undefined) throw new Error("no file");
    const get = (headers: Record<string, string> = {}) =>
      fetchBytes(workspace, `/api/v1/archive/${file.name}`, headers);
    const whole = await get();
    expect(whole.status).toBe(200);
    expect(whole.bytes.byteLength).toBe(file.bytes);
    expect(await sha256(whole.bytes)).toBe(file.sha256);
    expect((await readParquet(whole.bytes)).map(({ messageId }) => messageId)).toEqual(["a", "b"]);
    const etag = whole.headers.get("ETag") ?? "";
    const part = await get({ Range: "bytes=4-9", "If-Range": etag });
    expect(part.status).toBe(206);
    expect(part.headers.get("Content-Range")).toBe(`bytes 4-9/${file.bytes}`);
    expect(new Uint8Array(part.bytes)).toEqual(new Uint8Array(whole.bytes.slice(4, 10)));
    expect((await get({ Range: "bytes=4-9", "If-Range": '"other"' })).status).toBe(200);
    expect((await get({ "If-None-Match": etag })).status).toBe(304);
    expect((await get({ Range: `bytes=${file.bytes}-` })).status).toBe(416);
    const other = await newWorkspace();
    expect((await other.get(`/api/v1/archive/${file.name}`)).status).toBe(404);
    expect((await workspace.get("/api/v1/archive/x")).status).toBe(404);
  });

  it("deletes files past their retention, and hides them before", async () => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    const changes = { ARCHIVE_DAYS: "9" };
    const { body } = await admin("GET", `/workspaces/${workspace.id}`);
    expect(body.ok).toBe(true);
    await runCron(Date.now(), changes);
    expect((await listFiles(workspace)).map(({ name }) => name)).toEqual([`${dateOf(TODAY - 39)}_3-3.parquet`]);
    const { objects } = await env.ARCHIVE.list({ prefix: `v1/${workspace.id}/` });
    expect(objects).toHaveLength(1);
  });

  it("deletes old messages when it is off", async () => {
    const workspace = await oldWorkspace();
    await runCron(Date.now(), { ARCHIVE_DAYS: "0" });
    expect(await hot(workspace)).toEqual(["d"]);
    expect(await listFiles(workspace)).toEqual([]);
  });

  it("leaves no file of an erased workspace", async () => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
    expect((await env.ARCHIVE.list({ prefix: `v1/${workspace.id}/` })).objects).toEqual([]);
  });

  it("erases a workspace only after a run of the archive can't write any more", async () => {
    const workspace = await oldWorkspace();
    const { number } = await workspace.ref();
    await holdLease(env.DB, number, "archive_1");
    const { status, body } = await admin("DELETE", `/workspaces/${workspace.id}`);
    expect([status, body]).toEqual([202, { ok: true, archive: "pending" }]);
    await freeLeases();
    await runCron(Date.now() + 120_000);
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(404);
  });
});

describe("beside other work", () => {
  it("stays with its workspace when that moves to another database", async () => {
    const workspace = await oldWorkspace();
    const read = async () => {
      const days = { from: TODAY - 500, to: TODAY };
      return (await exportPage(calm, await workspace.ref(), days, null, Date.now())).lines;
    };
    const before = await read();
    const archive = async (through?: number) =>
      archiveWorkspace(calm, await workspace.ref(), { now: Date.now(), ...(through !== undefined && { through }) });
    expect(await archive()).toMatchObject({ messages: 3 });
    await startMove(workspace.id, "DB_1");
    expect(await archive()).toMatchObject({ messages: 0 });
    await finishMove(await workspace.ref());
    expect((await workspace.ref()).database).toBe("DB_1");
    expect(await read()).toEqual(before);
    expect(await archive(TODAY)).toMatchObject({ messages: 1 });
    expect(await read()).toEqual(before);
  });

  it("waits while a move holds the lease", async () => {
    const workspace = await oldWorkspace();
    await startMove(workspace.id, "DB_1");
    await runMove(calm, await workspace.ref(), { clock: lateClock, maxStatements: 20 });
    const options = { now: Date.now(), through: TODAY };
    expect(await archiveWorkspace(calm, await workspace.ref(), options)).toBeNull();
    await finishMove(await workspace.ref());
  });

  it("waits for a rebuild, which needs all messages", async () => {
    const workspace = await oldWorkspace();
    await admin("POST", `/workspaces/${workspace.id}/rebuild`);
    const archive = async () => archiveWorkspace(calm, await workspace.ref(), { now: Date.now() });
    expect(await archive()).toMatchObject({ messages: 0, complete: true });
    await fold();
    expect(await archive()).toMatchObject({ messages: 3, complete: true });
  });
});

describe("erasing a person", () => {
  it("leaves the person out of exports at once, and rewrites the files that contain the person", async () => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    const [first, second] = await listFiles(workspace);
    const { status, body } = await workspace.post(
      "/api/v1/users/erase",
      { userId: "u2" },
      { headers: { "Content-Type": "application/json" } },
    );
    expect([status, body]).toEqual([200, { ok: true, archive: "pending" }]);
    const left = await exported(workspace);
    expect(left.map(({ message_id: id }) => id)).toEqual(["a", "c", "d"]);
    expect((await workspace.get(`/api/v1/archive/${first?.name}`)).status).toBe(503);
    expect((await workspace.get(`/api/v1/archive/${second?.name}`)).status).toBe(200);
    await runCron(Date.now());
    expect(await exported(workspace)).toEqual(left);
    const files = await listFiles(workspace);
    expect(files.map(({ messages }) => messages)).toEqual([2, 1]);
    expect(files[0]?.sha256).not.toBe(first?.sha256);
    expect(files[1]?.sha256).toBe(second?.sha256);
    const { bytes } = await fetchBytes(workspace, `/api/v1/archive/${first?.name}`);
    expect(await sha256(bytes)).toBe(files[0]?.sha256);
    const [a, b] = await readParquet(bytes);
    expect(a).toMatchObject({ userId: "u1", properties: expect.stringContaining("/a") });
    expect(b).toMatchObject({
      messageId: "b",
      userId: expect.stringMatching(/^usr_/),
      properties: null,
      accountId: "acme",
    });
    const { results } = await env.DB.prepare("SELECT * FROM archive_erasures").all();
    expect(results).toEqual([]);
  });

  it("says the same of a person that never existed", async () => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    const { body } = await workspace.post(
      "/api/v1/users/erase",
      { userId: "nobody" },
      { headers: { "Content-Type": "application/json" } },
    );
    expect(body).toEqual({ ok: true, archive: "pending" });
  });

  it("archives a person who was erased before without the person", async () => {
    const workspace = await oldWorkspace();
    await workspace.post("/api/v1/users/erase", { userId: "u1" }, { headers: { "Content-Type": "application/json" } });
    const before = await exported(workspace);
    expect(before.map(({ message_id: id }) => id)).toEqual(["b"]);
    await archiveWorkspace(envWith({}), await workspace.ref(), { now: Date.now(), through: TODAY });
    expect(await hot(workspace)).toEqual([]);
    expect(await exported(workspace)).toEqual(before);
  });
});

async function fetchBytes(workspace: TestWorkspace, path: string, headers: Record<string, string> = {}) {
  const { exports } = await import("cloudflare:workers");
  const response = await exports.default.fetch(`https://ingest.test${path}`, {
    headers: { Authorization: `Bearer ${workspace.key}`, ...headers },
  });
  return { status: response.status, headers: response.headers, bytes: await response.arrayBuffer() };
}

describe("a file with more messages than a page", () => {
  it("is read once for each page, and once for a download", async () => {
    const workspace = await newWorkspace({ writeLimit: 100_000 });
    for (let first = 0; first < 11_000; first += 1_000) {
      const batch = Array.from({ length: 1_000 }, (_, n) => track({ messageId: `${first + n}`, userId: "u" }));
      expect((await workspace.post("/api/v1/cdp", { batch })).status).toBe(200);
    }
    await fold();
    const ref = await workspace.ref();
    expect(await archiveWorkspace(env, ref, { now: Date.now(), through: TODAY })).toMatchObject({ files: 1 });
    let reads = 0;
    const ARCHIVE = faultyBucket(env.ARCHIVE, async (run) => {
      reads += 1;
      return run();
    });
    const counted = envWith({ ARCHIVE });
    const days = { from: TODAY, to: TODAY };
    const first = await exportPage(counted, ref, days, null, Date.now());
    const second = await exportPage(counted, ref, days, first.next, Date.now());
    expect([first.lines.length, second.lines.length, second.next, reads]).toEqual([10_000, 1_000, null, 2]);
    const download = await exportDays(counted, ref, days, Date.now());
    expect(await new Response(download).text()).toBe([...first.lines, ...second.lines].join(""));
    expect(reads).toBe(3);
  });
});

describe("a file that is missing in the bucket", () => {
  it("is named by exports and by the run that has to rewrite it, which does the rest of its work", async () => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    const key = `v1/${workspace.id}/received_date=${dateOf(TODAY - 40)}/1-2.parquet`;
    const copy = await (await env.ARCHIVE.get(key))?.arrayBuffer();
    await env.ARCHIVE.delete(key);
    await erase(workspace, "u1");
    const ref = await workspace.ref();
    const days = { from: TODAY - 40, to: TODAY };
    await expect(exportPage(env, ref, days, null, Date.now())).rejects.toThrow(`The archive lacks ${key}`);
    const archive = () => archiveWorkspace(env, ref, { now: Date.now(), through: TODAY });
    await expect(archive()).rejects.toThrow(`The archive lacks ${key}`);
    expect(await hot(workspace)).toEqual([]);
    const next = await env.ARCHIVE.get(`v1/${workspace.id}/received_date=${dateOf(TODAY - 39)}/3-3.parquet`);
    const [message] = await readParquet((await next?.arrayBuffer()) ?? new ArrayBuffer());
    expect(message).toMatchObject({ messageId: "c", userId: expect.stringMatching(/^usr_/) });
    // The run kept no lease, so a repeated task fails again, until the queue gives it up.
    await expect(archive()).rejects.toThrow(`The archive lacks ${key}`);
    const { status } = await workspace.get(`/api/v1/export?from=${dateOf(TODAY - 40)}&to=${dateOf(TODAY)}`);
    expect(status).toBe(500);
    const other = await exported(workspace, TODAY - 39, TODAY);
    expect(other).toEqual([]); // they are of the erased user

    await env.ARCHIVE.put(key, copy ?? "");
    expect((await exported(workspace)).map(({ message_id: id }) => id)).toEqual(["b"]);
    expect(await archive()).toMatchObject({ complete: true });
    const [file] = await listFiles(workspace);
    expect((await fetchBytes(workspace, `/api/v1/archive/${file?.name}`)).status).toBe(200);
  });
});

const JSON_BODY = { headers: { "Content-Type": "application/json" } };

async function erase(workspace: TestWorkspace, userId: string): Promise<void> {
  expect((await workspace.post("/api/v1/users/erase", { userId }, JSON_BODY)).status).toBe(200);
}

describe("another file in the bucket than the manifest has", () => {
  it.each(["with", "without"])("%s a SHA-256 doesn't bring erased people back", async (checksum) => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    const key = `v1/${workspace.id}/received_date=${dateOf(TODAY - 40)}/1-2.parquet`;
    const copy = (await (await env.ARCHIVE.get(key))?.arrayBuffer()) ?? new ArrayBuffer();
    await erase(workspace, "u1");
    await runCron(Date.now());
    const [file] = await listFiles(workspace);
    await env.ARCHIVE.put(key, copy, checksum === "with" ? { sha256: await sha256(copy) } : {});
    for (const range of [{}, { Range: "bytes=4-9" }]) {
      expect((await workspace.get(`/api/v1/archive/${file?.name}`, { headers: range })).status).toBe(500);
    }
    await erase(workspace, "u2");
    const archive = async () => archiveWorkspace(env, await workspace.ref(), { now: Date.now() });
    await expect(archive()).rejects.toThrow(`The archive lacks ${key} (SHA-256 ${file?.sha256}).`);
    const path = `/api/v1/export?from=${dateOf(TODAY - 40)}&to=${dateOf(TODAY)}`;
    const { status, text } = await workspace.get(path);
    expect([status, text.includes("u1")]).toEqual([500, false]);
  });
});

it("an export that meets a file whose retention has just ended is to be repeated", async () => {
  const workspace = await oldWorkspace();
  await runCron(Date.now());
  await env.ARCHIVE.delete(`v1/${workspace.id}/received_date=${dateOf(TODAY - 40)}/1-2.parquet`);
  const page = async (now: number) =>
    exportPage(envWith({ ARCHIVE_DAYS: "9" }), await workspace.ref(), { from: TODAY - 40, to: TODAY }, null, now);
  await expect(page(Date.now() - DAY_MS)).rejects.toThrow(ArchiveUnavailable);
  expect((await page(Date.now())).lines).toHaveLength(2);
});

it("a write that may still reach R2 keeps the lease, and the erasure of the workspace waits for it", async () => {
  const workspace = await oldWorkspace();
  const ARCHIVE = faultyBucket(env.ARCHIVE, (run, call) =>
    call === 2 ? Promise.reject(new Error("R2 is down")) : run(),
  );
  const ref = await workspace.ref();
  await expect(archiveWorkspace(envWith({ ARCHIVE }), ref, { now: Date.now() })).rejects.toThrow(ArchiveUnavailable);
  expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(202);
});

it("a person is erased from files even if messages can't be archived", async () => {
  const workspace = await oldWorkspace();
  await runCron(Date.now());
  const [, before] = await listFiles(workspace);
  await erase(workspace, "u1");
  const ref = await workspace.ref();
  const broken = databaseWith(async (run, _number, statements = []) => {
    if (statements.some(({ sql }) => sql.includes("INSERT INTO archive_steps"))) throw new Error(D1_BROKEN);
    return run();
  });
  await expect(archiveWorkspace(envWith(broken), ref, { now: Date.now(), through: TODAY })).rejects.toThrow(D1_BROKEN);
  expect((await workspace.get(`/api/v1/archive/${before?.name}`)).status).toBe(200);
  const [, after] = await listFiles(workspace);
  expect(after?.sha256).not.toBe(before?.sha256);
});

it("a deletion that R2 refuses keeps no lease: the next run continues", async () => {
  const workspace = await oldWorkspace();
  const ref = await workspace.ref();
  const settings = { HOT_DAYS: "7", ARCHIVE_DAYS: "0" };
  const ARCHIVE = faultyBucket(env.ARCHIVE, () => Promise.reject(new Error("R2 is down")));
  const archive = (changed: Parameters<typeof envWith>[0]) =>
    archiveWorkspace(envWith(changed), ref, { now: Date.now() });
  await expect(archive({ ...settings, ARCHIVE })).rejects.toThrow(ArchiveUnavailable);
  expect(await archive(settings)).toMatchObject({ complete: true });
  expect(await hot(workspace)).toEqual(["d"]);
});

describe("invalid requests", () => {
  it.each([
    ["from=2026-01-02&to=2026-01-01", "to"],
    ["from=2026-02-30&to=2026-03-01", "from"],
    ["from=2026-01-01", "to"],
  ])("refuse %s", async (query, path) => {
    const { get } = await newWorkspace();
    const refused = { status: 400, body: { error: { code: "invalid_request", issues: [{ path }] } } };
    expect(await get(`/api/v1/export?${query}`)).toMatchObject(refused);
    expect(await get(`/api/v1/archive?${query}`)).toMatchObject(refused);
  });

  it("need the scope read", async () => {
    const { get } = await (await newWorkspace()).newKey(["ingest"]);
    expect((await get("/api/v1/archive?from=2026-01-01&to=2026-01-01")).status).toBe(403);
    expect((await send("GET", "/api/v1/export?from=2026-01-01&to=2026-01-01")).status).toBe(401);
  });
});
