/** docs/wire/export.md §17, docs/wire/erasure.md §6.2: erased people in files of the archive. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { readParquet } from "../../../src/archive/parquet.ts";
import { sha256 } from "../../../src/archive/store.ts";
import { archiveWorkspace } from "../../../src/services/archive/archive-workspace.ts";
import { D1_BROKEN, databaseWith, envWith } from "../support/faulty-env.ts";
import { runCron } from "../support/run-cron.ts";
import {
  dateOf,
  erase,
  exported,
  fetchBytes,
  hot,
  listFiles,
  oldestKey,
  oldWorkspace,
  TODAY,
} from "./old-workspace.ts";

describe("§17 §6.2 erasing a person", () => {
  it("leaves the person out of exports at once, and rewrites the files that contain the person", async () => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    const [first, second] = await listFiles(workspace);
    const { status, body } = await workspace.postJson("/api/v1/users/erase", { userId: "u2" });
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
    const { body } = await workspace.postJson("/api/v1/users/erase", { userId: "nobody" });
    expect(body).toEqual({ ok: true, archive: "pending" });
  });

  it("archives a person who was erased before without the person", async () => {
    const workspace = await oldWorkspace();
    await workspace.postJson("/api/v1/users/erase", { userId: "u1" });
    const before = await exported(workspace);
    expect(before.map(({ message_id: id }) => id)).toEqual(["b"]);
    await archiveWorkspace(envWith({}), await workspace.ref(), { now: Date.now(), through: TODAY });
    expect(await hot(workspace)).toEqual([]);
    expect(await exported(workspace)).toEqual(before);
  });

  it("erases the person from files even if messages can't be archived", async () => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    const [, before] = await listFiles(workspace);
    await erase(workspace, "u1");
    const ref = await workspace.ref();
    const broken = databaseWith(async (run, _number, statements = []) => {
      if (statements.some(({ sql }) => sql.includes("INSERT INTO archive_steps"))) throw new Error(D1_BROKEN);
      return run();
    });
    await expect(archiveWorkspace(envWith(broken), ref, { now: Date.now(), through: TODAY })).rejects.toThrow(
      D1_BROKEN,
    );
    expect((await workspace.get(`/api/v1/archive/${before?.name}`)).status).toBe(200);
    const [, after] = await listFiles(workspace);
    expect(after?.sha256).not.toBe(before?.sha256);
  });
});

describe("§17 another file in the bucket than the manifest has", () => {
  it.each(["with", "without"])("%s a SHA-256 doesn't bring erased people back", async (checksum) => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    const key = oldestKey(workspace);
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
