/** Numbers of workspaces are never used twice, whatever is restored: docs/decisions/0035-restores.md. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";

import { emptyTables } from "../support/database.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { addEntry } from "../support/half-changed.ts";
import { track } from "../support/messages.ts";
import { detailsOf, exportedIds, reconcileAll, restorePoint } from "../support/restores.ts";
import { runCron } from "../support/run-cron.ts";
import { admin, ADMIN_HEADERS, newWorkspace } from "../support/workspace.ts";

afterEach(() => reconcileAll());

const DATABASES = { DB: env.DB, DB_1: env.DB_1 };

describe("a workspace that is created after a restore", () => {
  it.each([
    { restored: ["DB"], database: "DB_1" },
    { restored: ["DB"], database: "DB" },
    { restored: ["DB_1"], database: "DB_1" },
    { restored: ["DB", "DB_1"], database: "DB_1" },
    { restored: ["DB_1", "DB"], database: "DB" },
  ] as const)(
    "§9 in $database has a new number and reads nothing of others, after a restore of $restored",
    async (made) => {
      const restores = await Promise.all(made.restored.map((name) => restorePoint(DATABASES[name])));
      const earlier = [await newWorkspace({ database: "DB_1" }), await newWorkspace({ database: "DB" })];
      for (const workspace of earlier) await workspace.post("/api/v1/cdp", track({ messageId: `of ${workspace.id}` }));
      const used = await Promise.all(earlier.map(async ({ ref }) => (await ref()).number));
      for (const restore of restores) await restore();
      const later = await newWorkspace({ database: made.database });
      expect(used).not.toContain((await later.ref()).number);
      await later.post("/api/v1/cdp", track({ messageId: "own" }));
      expect(await exportedIds(later)).toEqual(["own"]);
    },
  );

  it("§9 has a new number when several are created at once", async () => {
    const restore = await restorePoint(env.DB);
    const used = await Promise.all(
      [newWorkspace(), newWorkspace()].map(async (made) => (await (await made).ref()).number),
    );
    await restore();
    const made = await Promise.all(Array.from({ length: 4 }, () => newWorkspace({ database: "DB_1" })));
    const numbers = await Promise.all(made.map(async ({ ref }) => (await ref()).number));
    expect(new Set([...used, ...numbers]).size).toBe(6);
  });
});

const countEntries = () => env.DB.prepare("SELECT count(*) AS count FROM workspaces").first<number>("count");
const create = () => admin("POST", "/workspaces", { name: "Second", database: "DB_1" });

describe("a creation that the journal can't record", () => {
  it("§9 is refused, and leaves nothing", async () => {
    const before = await countEntries();
    const down = envWith({ ARCHIVE: faultyBucket(env.ARCHIVE, () => Promise.reject(new Error("R2 is down"))) });
    const refused = await sendWith(down, "POST", "/admin/workspaces", { name: "A" }, { headers: ADMIN_HEADERS });
    expect(refused.status).toBe(503);
    await runCron(Date.now() + 120_000);
    expect(await countEntries()).toBe(before);
  });

  it("§9 doesn't erase the workspace that has the number, when it stops between the number and the journal", async () => {
    const restore = await restorePoint(env.DB);
    const first = await newWorkspace({ database: "DB_1" });
    await first.post("/api/v1/cdp", track({ messageId: "kept" }));
    const { number } = await first.ref();
    await restore();
    await addEntry({ number, id: "ws_second", database: "DB_1", erasedAt: 1 });
    expect(await reconcileAll()).toEqual([{ workspace: first.id, kind: "busy" }]);
    expect((await runCron(Date.now())).failed).toEqual([]);
    expect(await env.DB.prepare("SELECT id FROM workspaces WHERE number = ?").bind(number).first()).toBeNull();
    const kept = env.DB_1.prepare("SELECT message_id FROM messages WHERE workspace = ?").bind(number);
    expect(await kept.first("message_id")).toBe("kept");
    expect(await reconcileAll()).toEqual([{ workspace: first.id, kind: "entry_missing" }]);
  });

  it("§9 is refused when a database knows another workspace with the number, which the journal doesn't know", async () => {
    const restore = await restorePoint(env.DB);
    const first = await newWorkspace({ database: "DB_1" });
    await first.post("/api/v1/cdp", track({ messageId: "kept" }));
    const { number } = await first.ref();
    await restore();
    const { objects } = await env.ARCHIVE.list({ prefix: "journal/numbers/", limit: 1 });
    const [claim] = objects.map(({ key }) => key);
    await env.ARCHIVE.delete(claim ?? "");
    expect((await create()).status).toBe(503);
    const second = await create();
    expect(second.status).toBe(201);
    const kept = env.DB_1.prepare("SELECT message_id FROM messages WHERE workspace = ?").bind(number);
    expect(await kept.first("message_id")).toBe("kept");
    expect((await reconcileAll()).map(({ kind }) => kind)).toEqual(["number_used_twice", "number_used_twice"]);
    const claimed = (await env.ARCHIVE.head(claim ?? ""))?.customMetadata?.["id"] ?? "";
    expect(await detailsOf({ id: claimed })).toEqual([`Number ${number} in ${claim}.`]);
    expect(await detailsOf(first)).toEqual([`Number ${number} in DB_1.`]);
    // As the page says: the workspace of the journal is nowhere, so the one that the database knows keeps the number.
    await env.ARCHIVE.delete(claim ?? "");
    expect([await reconcileAll(), await detailsOf(first)]).toEqual([
      [{ workspace: first.id, kind: "unknown_rows" }],
      [`Number ${number} in DB_1.`],
    ]);
    await addEntry({ number, id: first.id, database: "DB_1" });
    expect(await reconcileAll()).toContainEqual({ workspace: first.id, kind: "claim_missing" });
    expect(await reconcileAll()).toEqual([]);
    await emptyTables(["workspace_states", "messages"], env.DB_1);
  });
});
