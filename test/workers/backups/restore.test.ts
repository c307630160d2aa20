/** §9.3 A workspace is restored from its backup. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import { finishMove, ownRows } from "../moves/moving.ts";
import { rowCounts } from "../support/database.ts";
import { fullWorkspace } from "../support/full-workspace.ts";
import { admin, eraseAllWorkspaces } from "../support/workspace.ts";
import { backUp, lose, startRestore } from "./backing-up.ts";

beforeEach(eraseAllWorkspaces);

const CAPTURE = { accountId: "acme", userId: "u1", event: "report.exported" };

describe("§9.3 a restore", () => {
  it("§9.3 brings every row back into another database, and keys keep working", async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    await backUp(ref);
    // The next run starts its comparison again.
    const { comparisons: _, ...rows } = await ownRows(ref, "DB");
    await lose(ref, env.DB);
    expect(await startRestore(workspace.id, { database: "DB_1" })).toMatchObject({ status: 202, body: { ok: true } });
    const { body } = await admin("GET", `/workspaces/${workspace.id}`);
    expect(body.workspace).toMatchObject({
      move: { from: "DB", to: "DB_1", state: "copying", backup: expect.any(String) },
    });
    await finishMove(ref);
    expect(await ownRows(ref, "DB_1")).toEqual(rows);
    expect((await admin("GET", `/workspaces/${workspace.id}`)).body.workspace).toMatchObject({
      database: "DB_1",
      move: null,
    });
    await admin("PATCH", `/workspaces/${workspace.id}`, { writeLimit: 1_000 });
    expect((await workspace.post("/api/v1/events", CAPTURE)).status).toBe(200);
    expect(await rowCounts()).not.toHaveProperty("messages");
  });
});
