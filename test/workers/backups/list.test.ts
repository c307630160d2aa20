/** §9.3 The backups of a workspace are listed, and restored by name: docs/wire/admin.md. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import { backUpWorkspace } from "../../../src/services/backups/back-up-workspace.ts";
import { calm, finishMove, ownRows } from "../moves/moving.ts";
import { fullWorkspace } from "../support/full-workspace.ts";
import { track } from "../support/messages.ts";
import { admin, eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";
import { backUp, backupNames, fileOf, listedBackups, lose, startRestore } from "./backing-up.ts";

beforeEach(eraseAllWorkspaces);

const NOW = Date.now();
const dayAgo = (days: number) => NOW - days * DAY_MS;

describe("§9.3 the list of backups", () => {
  it("§9.3 is empty before the first one, and unknown for an unknown workspace", async () => {
    const { id } = await newWorkspace();
    expect(await admin("GET", `/workspaces/${id}/backups`)).toMatchObject({
      status: 200,
      body: { ok: true, backups: [] },
    });
    expect((await admin("GET", "/workspaces/ws_000000000000000000000000/backups")).status).toBe(404);
  });

  it("§9.3 has the newest first, with its time, rows and bytes, and tells an incomplete one", async () => {
    const workspace = await fullWorkspace();
    await admin("PATCH", `/workspaces/${workspace.id}`, { writeLimit: 1_000 });
    const ref = await workspace.ref();
    const rows = Object.entries(await ownRows(ref, "DB"));
    const kept = rows.filter(([name]) => !["comparisons", "changedSubjects", "workspaceStates"].includes(name));
    await backUp(ref, dayAgo(2));
    await workspace.post("/api/v1/cdp", track());
    expect(await backUpWorkspace(calm, ref, { now: dayAgo(1), maxStatements: 10 })).toBe(false);
    const [newest, oldest, ...more] = await listedBackups(workspace);
    expect(more).toEqual([]);
    expect(newest).toMatchObject({ at: new Date(dayAgo(1)).toISOString(), complete: false });
    expect(oldest).toEqual({
      name: (await backupNames(ref))[0],
      at: new Date(dayAgo(2)).toISOString(),
      rows: kept.reduce((sum, [, own]) => sum + own.length, 0),
      bytes: expect.any(Number),
      complete: true,
    });
    expect(oldest?.bytes).toBeGreaterThan(5_000);
  });

  it("§9.3 names what a restore takes, also of a day with several", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    for (const ago of [2, 1]) {
      await workspace.post("/api/v1/cdp", track({ messageId: `${ago} ms ago` }));
      await backUp(ref, NOW - ago);
    }
    const [newest, older] = (await listedBackups(workspace)).map(({ name }) => name);
    await lose(ref, env.DB_1);
    const start = (body: object) => startRestore(workspace.id, { database: "DB_2", ...body });
    expect(await start({ backup: "2026-11-20T031500.000Z" })).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining(newest ?? "") } },
    });
    expect(await start({ backup: older, date: "2026-11-20" })).toMatchObject({
      status: 400,
      body: { error: { issues: [{ path: "date" }] } },
    });
    expect(await start({ backup: older?.slice(0, 10) })).toMatchObject({
      status: 400,
      body: { error: { issues: [{ path: "backup" }] } },
    });
    expect((await start({ backup: older })).body).toEqual({ ok: true, backup: older });
    await finishMove(ref);
    expect((await ownRows(ref, "DB_2"))["messages"]).toHaveLength(1);
  });

  it("§9.3 takes a backup with a damaged manifest for incomplete, and refuses to restore it", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    const { changeManifest } = await fileOf(ref, "messages");
    await changeManifest(() => "{}");
    const [backup] = await listedBackups(workspace);
    expect(backup).toMatchObject({ complete: false });
    const body = { database: "DB_2", backup: backup?.name, giveUp: true };
    expect((await startRestore(workspace.id, body)).status).toBe(404);
  });
});
