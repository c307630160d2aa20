/** docs/restore.md: daily backups of workspaces. */
import { beforeEach, describe, expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import { fullWorkspace } from "../support/full-workspace.ts";
import { eraseAllWorkspaces } from "../support/workspace.ts";
import { backUp, backupKeys } from "./backing-up.ts";

beforeEach(eraseAllWorkspaces);

describe("a backup", () => {
  it("has a file for each table with rows, and writes nothing when nothing has changed", async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    const now = Date.now() + 11 * DAY_MS;
    await backUp(ref, now);
    const keys = await backupKeys(ref);
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.at(-1)).toMatch(/manifest\.json$/);
    await backUp(ref, now + DAY_MS);
    expect(await backupKeys(ref)).toEqual(keys);
  });
});
