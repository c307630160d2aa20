/** §6.2 People who are erased while a restored database doesn't know them: docs/decisions/0035-restores.md. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { hashOf, MAX_UNKNOWN_PEOPLE, readErasedPeople } from "../../../src/archive/journal.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import { archiveReceived } from "../support/archive-received.ts";
import { addUsers } from "../support/bulk-rows.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import { kindsOf, restorePoint } from "../support/restores.ts";
import { runCron } from "../support/run-cron.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const sendOf = async (workspace: TestWorkspace, userId: string, messageId = `of ${userId}`): Promise<void> => {
  const { status } = await workspace.post("/api/v1/cdp", track({ userId, messageId }));
  expect(status).toBe(200);
};

const erase = async (workspace: TestWorkspace, userId: string): Promise<number> =>
  (await workspace.postJson("/api/v1/users/erase", { userId })).status;

/** The ids of the people whom an export names, sorted. */
async function named(workspace: TestWorkspace): Promise<string[]> {
  const path = `/api/v1/export?from=${dateOf(Date.now() - 90 * DAY_MS)}&to=${dateOf(Date.now())}`;
  const { text, status } = await workspace.get(path);
  expect(status).toBe(200);
  const ids = new Set([...text.matchAll(/"user_id":"([^"]+)"/g)].map(([, id = ""]) => id));
  return [...ids].filter((id) => !id.startsWith("usr_")).toSorted();
}

/** The hashes in the journal. */
async function recorded({ id }: TestWorkspace): Promise<string[]> {
  const hashes: string[] = [];
  for await (const people of readErasedPeople(env, id)) hashes.push(...people.map(({ hash }) => hash));
  return hashes;
}

describe("§6.2 a person who is erased while the restored database doesn't know them", () => {
  it("isn't stored again from files that were written since", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await sendOf(workspace, "early");
    const restore = await restorePoint(env.DB_1);
    await sendOf(workspace, "late");
    await sendOf(workspace, "erased");
    await archiveReceived(workspace);
    await restore();
    expect(await erase(workspace, "erased")).toBe(200);
    expect(await kindsOf(workspace)).toEqual(["files_repaired"]);
    expect(await named(workspace)).toEqual(["early", "late"]);
    expect((await workspace.get("/api/v1/users/erased")).status).toBe(404);
    expect(await kindsOf(workspace)).toEqual([]);
  });

  it.each(["external", "internal"])(
    "is erased again by the %s id when a second restore brings them back",
    async (by) => {
      const workspace = await newWorkspace({ database: "DB_1" });
      await sendOf(workspace, "early");
      const first = await restorePoint(env.DB_1);
      await sendOf(workspace, "erased");
      await sendOf(workspace, "stays");
      const { body } = await workspace.get("/api/v1/users/erased");
      const second = await restorePoint(env.DB_1);
      await first();
      expect(await erase(workspace, by === "external" ? "erased" : String(body.user?.id))).toBe(200);
      expect(await kindsOf(workspace)).toEqual([]);
      await second();
      expect(await kindsOf(workspace)).toEqual(["people_erased"]);
      await runCron(Date.now());
      expect(await named(workspace)).toEqual(["early", "stays"]);
      expect(await kindsOf(workspace)).toEqual([]);
    },
  );

  it("is erased again when they had another number in the first restored state", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await sendOf(workspace, "early");
    const first = await restorePoint(env.DB_1);
    await sendOf(workspace, "other");
    await sendOf(workspace, "erased");
    const second = await restorePoint(env.DB_1);
    await first();
    await sendOf(workspace, "erased");
    expect(await erase(workspace, "erased")).toBe(200);
    await second();
    expect(await kindsOf(workspace)).toEqual(["people_erased"]);
    expect(await named(workspace)).toEqual(["early", "other"]);
    await sendOf(workspace, "erased", "back");
    expect([await kindsOf(workspace), await named(workspace)]).toEqual([[], ["early", "erased", "other"]]);
  });
});

describe("§6.2 reconciling", () => {
  it("finds a person behind ten thousand other users", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await sendOf(workspace, "early");
    expect(await erase(workspace, "erased")).toBe(200);
    // As if another restore had brought them back.
    await addUsers(await workspace.ref(), 10_001, "erased", Date.now() - DAY_MS, env.DB_1);
    expect(await kindsOf(workspace)).toEqual(["people_erased"]);
    expect((await workspace.get("/api/v1/users/erased")).status).toBe(404);
    expect((await workspace.get("/api/v1/users/user 10000")).status).toBe(200);
    expect(await kindsOf(workspace)).toEqual([]);
  });
});

describe("§6.2 the journal", () => {
  it("keeps the newest thousand unknown ids of a workspace, with at most three calls of R2 for each erasure", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await sendOf(workspace, "known");
    let calls = 0;
    const counted = envWith({ ARCHIVE: faultyBucket(env.ARCHIVE, (run) => ((calls += 1), run())) });
    const headers = { Authorization: `Bearer ${workspace.key}`, "Content-Type": "application/json" };
    const callsFor = async (userId: string): Promise<number> => {
      calls = 0;
      expect((await sendWith(counted, "POST", "/api/v1/users/erase", { userId }, { headers })).status).toBe(200);
      return calls;
    };
    expect([await callsFor("known"), await callsFor("unknown 0")]).toEqual([1, 2]);
    const entry = `journal/workspaces/${await hashOf(workspace.id)}/people/unknown-x`;
    const putOne = (person: number) => env.ARCHIVE.put(`${entry}${person}`, "", { customMetadata: { at: "1" } });
    await Promise.all(Array.from({ length: MAX_UNKNOWN_PEOPLE - 1 }, (_, person) => putOne(person)));
    expect(await recorded(workspace)).toHaveLength(1 + MAX_UNKNOWN_PEOPLE);
    expect(await callsFor("newest")).toBe(3);
    expect([await callsFor("newest"), await callsFor("known")]).toEqual([2, 2]);
    const kept = await recorded(workspace);
    expect(kept.length).toBeLessThan(1 + MAX_UNKNOWN_PEOPLE);
    expect(kept).toEqual(
      expect.arrayContaining([await hashOf(workspace.id, "newest"), await hashOf(workspace.id, "known")]),
    );
  });

  it.each(["known", "unknown"])("must be written before an erasure of a person who is %s", async (userId) => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await sendOf(workspace, "known");
    const down = envWith({ ARCHIVE: faultyBucket(env.ARCHIVE, () => Promise.reject(new Error("R2 is down"))) });
    const headers = { Authorization: `Bearer ${workspace.key}`, "Content-Type": "application/json" };
    expect((await sendWith(down, "POST", "/api/v1/users/erase", { userId }, { headers })).status).toBe(503);
    expect(await named(workspace)).toEqual(["known"]);
  });
});
