/** Numbers of workspaces are never used twice, whatever is restored: docs/decisions/0035-restores.md. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { faultyBucket } from "../support/faulty-bucket.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import { restorePoint } from "../support/restores.ts";
import { runCron } from "../support/run-cron.ts";
import { ADMIN_HEADERS, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const DATABASES = { DB: env.DB, DB_1: env.DB_1 };

/** The ids of messages that the workspace can export. */
async function exported(workspace: TestWorkspace): Promise<string[]> {
  const today = new Date().toISOString().slice(0, 10);
  const { text } = await workspace.get(`/api/v1/export?from=${today}&to=${today}`);
  return [...text.matchAll(/"message_id":"([^"]+)"/g)].map(([, id = ""]) => id);
}

describe("a workspace that is created after a restore", () => {
  it.each([
    { restored: ["DB"], database: "DB_1" },
    { restored: ["DB"], database: "DB" },
    { restored: ["DB_1"], database: "DB_1" },
    { restored: ["DB", "DB_1"], database: "DB_1" },
    { restored: ["DB_1", "DB"], database: "DB" },
  ] as const)("§9 in $database has a new number and reads nothing of others, after a restore of $restored", async (made) => {
    const restores = await Promise.all(made.restored.map((name) => restorePoint(DATABASES[name])));
    const earlier = [await newWorkspace({ database: "DB_1" }), await newWorkspace({ database: "DB" })];
    for (const workspace of earlier) await workspace.post("/api/v1/cdp", track({ messageId: `of ${workspace.id}` }));
    const used = await Promise.all(earlier.map(async ({ ref }) => (await ref()).number));
    for (const restore of restores) await restore();
    const later = await newWorkspace({ database: made.database });
    expect(used).not.toContain((await later.ref()).number);
    await later.post("/api/v1/cdp", track({ messageId: "own" }));
    expect(await exported(later)).toEqual(["own"]);
  });
});
