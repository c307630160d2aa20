/** docs/wire/export.md §17: messages move to the archive, and reads show both tiers as one. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { readParquet } from "../../../src/archive/parquet.ts";
import { sha256 } from "../../../src/archive/store.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import { archiveWorkspace } from "../../../src/services/archive/archive-workspace.ts";
import { exportDays, exportPage } from "../../../src/services/archive/read-archive.ts";
import { textOf } from "../console/support/page-text.ts";
import { signedIn } from "../console/support/signed-in.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import { databaseWith, envWith, type Trip } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import { runCron } from "../support/run-cron.ts";
import { send } from "../support/send.ts";
import { admin, newWorkspace } from "../support/workspace.ts";
import { dateOf, exported, fetchBytes, fold, hot, listFiles, oldestKey, oldWorkspace, TODAY } from "./old-workspace.ts";

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
      oldestKey(workspace),
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
});

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
