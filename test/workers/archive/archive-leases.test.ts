/** docs/wire/export.md §17: a run of the archive beside moves, rebuilds, erasures and failures of R2. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { ArchiveUnavailable } from "../../../src/archive/store.ts";
import { archiveWorkspace } from "../../../src/services/archive/archive-workspace.ts";
import { runMove } from "../../../src/services/moves/move-workspace.ts";
import { exportPage } from "../../../src/services/archive/read-archive.ts";
import { calm, finishMove, lateClock, startMove } from "../moves/moving.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import { envWith } from "../support/faulty-env.ts";
import { freeLeases, holdLease } from "../support/leases.ts";
import { runCron } from "../support/run-cron.ts";
import { admin } from "../support/workspace.ts";
import { fold, hot, oldWorkspace, TODAY } from "./old-workspace.ts";

describe("§17 beside other work, the archive", () => {
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

describe("§17 the lease of the archive", () => {
  it("is kept by a write that may still reach R2, and the erasure of the workspace waits for it", async () => {
    const workspace = await oldWorkspace();
    const ARCHIVE = faultyBucket(env.ARCHIVE, (run, call) =>
      call === 2 ? Promise.reject(new Error("R2 is down")) : run(),
    );
    const ref = await workspace.ref();
    await expect(archiveWorkspace(envWith({ ARCHIVE }), ref, { now: Date.now() })).rejects.toThrow(ArchiveUnavailable);
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(202);
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

  it("is not kept by a deletion that R2 refuses: the next run continues", async () => {
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
});
