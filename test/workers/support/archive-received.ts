/** Archives what a workspace has received. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import { archiveWorkspace } from "../../../src/services/archive/archive-workspace.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import type { TestWorkspace } from "./workspace.ts";

const DAYS = 40;

/** Folds and archives everything that a workspace in `DB_1` has received so far, as if 40 days had passed since. */
export async function archiveReceived(workspace: TestWorkspace): Promise<void> {
  const ref = await workspace.ref();
  const now = Date.now();
  await recompute(env, { now, trigger: "admin", clock: Date.now, budgetMs: 60_000 });
  // What an earlier call has dated back stays there.
  await env.DB_1.prepare("UPDATE messages SET received_at = received_at - ?1 WHERE workspace = ?2 AND received_at > ?3")
    .bind(DAYS * DAY_MS, ref.number, now - (DAYS * DAY_MS) / 2)
    .run();
  expect(await archiveWorkspace(env, ref, { now })).toMatchObject({ complete: true });
}
