/** The archive's files and its manifest after a restore of the workspace's database: docs/decisions/0035-restores.md. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { readParquet } from "../../../src/archive/parquet.ts";
import { sha256 } from "../../../src/archive/store.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import { archiveReceived } from "../support/archive-received.ts";
import { track } from "../support/messages.ts";
import { detailsOf, exportedIds, kindsOf, reconcileAll, restorePoint } from "../support/restores.ts";
import { runCron } from "../support/run-cron.ts";
import { send } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const TODAY = Math.floor(Date.now() / DAY_MS);
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

const post = (workspace: TestWorkspace, userId: string, ...ids: string[]) =>
  workspace.post(
    "/api/v1/cdp",
    ids.map((messageId) =>
      track({ messageId, userId, properties: { of: messageId, accountId: `account of ${userId}` } }),
    ),
  );

/** The message ids by the export, sorted. */
const exported = async (workspace: TestWorkspace) => (await exportedIds(workspace)).toSorted();

async function bytesOf(key: string): Promise<ArrayBuffer> {
  const object = await env.ARCHIVE.get(key);
  if (object === null) throw new Error(`no file ${key}`);
  return object.arrayBuffer();
}

/** The message ids in the bucket's files of the workspace, sorted. */
async function inFiles({ id }: TestWorkspace): Promise<string[]> {
  const { objects } = await env.ARCHIVE.list({ prefix: `v1/${id}/` });
  const read = objects.map(async ({ key }) => readParquet(await bytesOf(key)));
  return (await Promise.all(read))
    .flat()
    .map(({ messageId }) => messageId)
    .toSorted();
}

describe("§17 the archive after a restore", () => {
  it("has each message once when files were written since", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await post(workspace, "u1", "a", "b", "c");
    const restore = await restorePoint(env.DB_1);
    await archiveReceived(workspace);
    await restore();
    await post(workspace, "u1", "d");
    expect(await kindsOf(workspace)).toEqual(["files_repaired"]);
    expect([await exported(workspace), await inFiles(workspace)]).toEqual([["a", "b", "c", "d"], []]);
    await archiveReceived(workspace);
    expect([await exported(workspace), await inFiles(workspace)]).toEqual([
      ["a", "b", "c", "d"],
      ["a", "b", "c", "d"],
    ]);
    expect(await reconcileAll()).toEqual([]);
  });

  it("stores archived messages again that the restored log lacks, though others have their numbers by now", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await post(workspace, "u1", "a");
    const restore = await restorePoint(env.DB_1);
    await post(workspace, "u2", "lost 1", "lost 2");
    await workspace.post(
      "/api/v1/events",
      { accountId: "acme", userId: "u4", event: "x" },
      { headers: { "Idempotency-Key": "lost 3", "Content-Type": "application/json" } },
    );
    await archiveReceived(workspace);
    await restore();
    await post(workspace, "u3", "new 1", "new 2", "lost 2");
    expect(await kindsOf(workspace)).toEqual(["files_repaired"]);
    const all = ["a", "lost 1", "lost 2", "lost 3", "new 1", "new 2"];
    expect(await exported(workspace)).toEqual(all);
    const { text } = await workspace.get(`/api/v1/export?from=${dateOf(TODAY - 500)}&to=${dateOf(TODAY)}`);
    const lost = text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .find(({ message_id: id }) => id === "lost 1");
    expect(lost).toMatchObject({ user_id: "u2", account_id: "account of u2", properties: { of: "lost 1" } });
    await archiveReceived(workspace);
    expect([await exported(workspace), await inFiles(workspace)]).toEqual([all, all]);
  });

  it("has each message once when the archive ran again before the reconciliation", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await post(workspace, "u1", "a", "b", "c");
    const restore = await restorePoint(env.DB_1);
    await archiveReceived(workspace);
    await restore();
    await post(workspace, "u1", "d");
    await archiveReceived(workspace);
    expect(await inFiles(workspace)).toHaveLength(7);
    expect(await kindsOf(workspace)).toEqual(["files_repaired"]);
    expect([await exported(workspace), await inFiles(workspace)]).toEqual([
      ["a", "b", "c", "d"],
      ["a", "b", "c", "d"],
    ]);
  });

  it("takes the newest version of rewritten files, and erases people again who are in none", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await post(workspace, "erased", "of the erased");
    await post(workspace, "u1", "a");
    await archiveReceived(workspace);
    await post(workspace, "erased", "in the log");
    const restore = await restorePoint(env.DB_1);
    const headers = { Authorization: `Bearer ${workspace.key}` };
    await send("DELETE", "/api/v1/users/erased", undefined, { headers });
    await archiveReceived(workspace);
    await restore();
    expect(await kindsOf(workspace)).toEqual(["people_erased", "files_repaired"]);
    expect(await exported(workspace)).toEqual(["a"]);
    await runCron(Date.now());
    expect(await exported(workspace)).toEqual(["a"]);
    const { objects } = await env.ARCHIVE.list({ prefix: `v1/${workspace.id}/` });
    for (const { key } of objects) {
      expect((await readParquet(await bytesOf(key))).map(({ userId }) => userId)).not.toContain("erased");
    }
    expect(await reconcileAll()).toEqual([]);
  });

  it("stores nothing again of people who were erased since", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await post(workspace, "u1", "a");
    const restore = await restorePoint(env.DB_1);
    await post(workspace, "erased", "of the erased");
    await archiveReceived(workspace);
    const headers = { Authorization: `Bearer ${workspace.key}` };
    await send("DELETE", "/api/v1/users/erased", undefined, { headers });
    await restore();
    expect(await kindsOf(workspace)).toEqual(["files_repaired"]);
    expect([await exported(workspace), await inFiles(workspace)]).toEqual([["a"], []]);
  });

  it("deletes unlisted files past their retention, and names files that are gone or have another size", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await post(workspace, "u1", "a");
    await archiveReceived(workspace);
    const { objects } = await env.ARCHIVE.list({ prefix: `v1/${workspace.id}/` });
    const [{ key } = { key: "" }] = objects;
    const bytes = await bytesOf(key);
    const old = `v1/${workspace.id}/received_date=${dateOf(TODAY - 900)}/7-7.parquet`;
    await env.ARCHIVE.put(old, bytes, { customMetadata: { sha256: await sha256(bytes) } });
    expect(await kindsOf(workspace)).toEqual(["files_repaired"]);
    expect(await inFiles(workspace)).toEqual(["a"]);
    await env.ARCHIVE.delete(key);
    expect(await kindsOf(workspace)).toEqual(["file_missing"]);
    const digest = await sha256(bytes);
    expect(await detailsOf(workspace)).toEqual([`${key} (SHA-256 ${digest}).`]);
    await env.ARCHIVE.put(key, "of something else");
    expect(await detailsOf(workspace)).toEqual([
      `${key} has 17 bytes instead of ${bytes.byteLength} (SHA-256 ${digest}).`,
    ]);
    await env.ARCHIVE.put(key, bytes);
    expect(await reconcileAll()).toEqual([]);
  });
});
