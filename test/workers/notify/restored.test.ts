/** §9.3: after a restore from a backup, nothing is told twice. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";

import { listDestinations, updateDestination } from "../../../src/db/destinations/destinations.ts";
import { runMove } from "../../../src/services/moves/move-workspace.ts";
import { recomputeWorkspace } from "../../../src/services/recompute/recompute-workspaces.ts";
import { backUp, lose, startRestore } from "../backups/backing-up.ts";
import { calm } from "../moves/moving.ts";
import { DAY, morningOf } from "../recompute/runs.ts";
import { addDestination, outboxOf } from "../support/destinations.ts";
import { track } from "../support/messages.ts";
import { eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";
import { goSilent, makeActive, SILENT, use } from "./silent-account.ts";

beforeEach(eraseAllWorkspaces);

const stored = (sql: string, number: number) => env.DB_1.prepare(sql).bind(number).first();

it.each([
  ["before the first run", false],
  ["between news", true],
])("§9.3 a restore of a backup %s tells nothing of the days up to it, and ends what was due", async (_, isScored) => {
  const workspace = await newWorkspace();
  const ref = await workspace.ref();
  if (isScored) await makeActive(ref);
  else await workspace.post("/api/v1/cdp", track({}));
  await addDestination(ref, { digestDueAt: 1, digestThrough: 1 });
  await addDestination(ref);
  await addDestination(ref, { disabledAt: 5, disabledReason: "gone" });
  if (isScored) await goSilent(ref, DAY + 1, SILENT);
  const told = await outboxOf(ref);
  expect(told.length > 0).toBe(isScored);
  await backUp(ref, morningOf(SILENT));
  await lose(ref, env.DB);
  await startRestore(workspace.id, { database: "DB_1" });
  const isOpen = "SELECT 1 FROM workspace_states WHERE number = ? AND state = 'live'";
  // Each part waits until the claim of the one before has expired.
  for (let now = morningOf(SILENT + 2); (await stored(isOpen, ref.number)) === null; now += 60_000)
    await runMove(calm, ref, { clock: () => now });
  const ended = told.map((row) => ({ ...row, nextAttemptAt: null }));
  expect(await outboxOf(ref, env.DB_1)).toEqual(ended);
  const quiet = await stored("SELECT quiet_through FROM folds WHERE workspace = ?", ref.number);
  expect(quiet).toEqual({ quiet_through: SILENT + 1 });
  // Some may have been deleted since the backup.
  const kept = await env.DB_1.prepare(
    "SELECT digest_through, digest_due_at, disabled_reason, disabled_at > 5 AS is_new FROM destinations WHERE workspace = ?",
  )
    .bind(ref.number)
    .all();
  const disabled = { digest_due_at: null, disabled_reason: "restored", is_new: 1 };
  expect(kept.results).toEqual([
    { ...disabled, digest_through: SILENT + 1 },
    { ...disabled, digest_through: null },
    { ...disabled, digest_through: null, disabled_reason: "gone", is_new: 0 },
  ]);
  const restored = { ...ref, database: "DB_1" };
  // Somebody enables those that still hold.
  for (const { id } of await listDestinations(env, restored))
    await updateDestination(env, restored, id, { disabledAt: null, disabledReason: null });
  // Late events withdraw the item of the silence, and then all accounts stop.
  if (isScored) await use(restored, "acme", DAY, DAY + 4);
  for (let day = SILENT + 2; day < SILENT + 12; day += 1)
    await recomputeWorkspace(env, restored, { now: morningOf(day), trigger: "admin", budgetMs: 60_000 });
  const withdrawn = "SELECT count(*) AS count FROM inbox_items WHERE workspace = ? AND resolution = 'withdrawn'";
  expect(await stored(withdrawn, ref.number)).toEqual({ count: isScored ? 1 : 0 });
  const days = (await outboxOf(ref, env.DB_1)).slice(told.length).map(({ day }) => day);
  expect(days.length > 0).toBe(isScored);
  expect(Math.min(...days, Infinity)).toBeGreaterThan(SILENT + 1);
});
