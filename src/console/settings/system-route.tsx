/** Settings of the system: what is stored where, exports, recomputes, and moves to another database. */
import { Hono } from "hono";

import { isAdministrator } from "../../core/role.ts";
import { describeFault } from "../../core/describe-fault.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { isUnavailable } from "../../edge/errors.ts";
import { operation } from "../../edge/request-log.ts";
import { daysQuery } from "../../edge/schemas/days.ts";
import { isoDate } from "../../services/present/iso.ts";
import { exportDays } from "../../services/archive/read-archive.ts";
import { audited } from "../../services/audited.ts";
import { cancelMove, listMoveTargets, startMove } from "../../services/moves/move-workspace.ts";
import { recomputeWorkspace } from "../../services/recompute/recompute-workspaces.ts";
import { endImport } from "../../services/workspaces/imports.ts";
import { readStorageAndRuns } from "../../db/archive/storage-and-runs.ts";
import { readRecords } from "../../db/workspaces/list-workspaces.ts";
import { readForm } from "../forms/read-form.ts";
import { requireAdmin } from "../session/guards.ts";
import { actorOf } from "../session/session.ts";
import { RunsCard } from "./runs-card.tsx";
import { type Flash, redirectTo, SettingsPage } from "./settings-page.tsx";
import { DatabaseCard, StorageCard } from "./storage-card.tsx";

export const systemPages = new Hono<AppEnv>()
  .get("/system", operation("console_system"), (c) => systemPage(c))
  .get("/export", operation("console_export"), async (c) => {
    const days = daysQuery.safeParse(c.req.query());
    if (!days.success) return systemPage(c, "“From” must be a date on or before “To”.");
    const { from, to } = days.data;
    const lines = await exportDays(c.env, c.get("workspace"), days.data, Date.now());
    if (lines === null) return systemPage(c, TOO_LARGE);
    const name = `messages-${isoDate(from)}-${isoDate(to)}.ndjson`;
    c.header("Content-Disposition", `attachment; filename="${name}"`);
    return c.body(lines, 200, { "Content-Type": "application/x-ndjson" });
  })
  .post("/move", operation("console_move_workspace"), requireAdmin, async (c) => {
    const { database } = await readForm(c);
    const outcome = await startMove(c.env, c.get("workspace"), String(database), Date.now(), actorOf(c.get("session")));
    return outcome === "started" ? redirectTo(c, "system", "moving") : systemPage(c, MOVE_ERRORS[outcome]);
  })
  .post("/move/cancel", operation("console_cancel_move"), requireAdmin, async (c) => {
    const outcome = await cancelMove(c.env, c.get("workspace"), actorOf(c.get("session")));
    return outcome === "cancelled" ? redirectTo(c, "system", "move_cancelled") : systemPage(c, MOVE_ERRORS[outcome]);
  })
  .post("/import/end", operation("console_end_import"), requireAdmin, async (c) => {
    const hasEnded = await endImport(c.env, c.get("workspace"), actorOf(c.get("session")));
    return hasEnded ? redirectTo(c, "system", "import_ended") : systemPage(c, "The workspace has no import.");
  })
  .post("/recompute", operation("console_recompute"), requireAdmin, async (c) =>
    redirectTo(c, "system", await runRecompute(c)),
  );

const SHOWN_RUNS = 10;

const TOO_LARGE = "These days have too many messages for a download. Select fewer days, or use `npm run export`.";

const MOVE_ERRORS = {
  not_open: "This database takes no workspaces. Select an open one.",
  same_database: "The workspace is already in this database.",
  import_running: "The workspace has an import, which must end first.",
  move_running: "The workspace is being moved or restored, and that can’t be changed now.",
  no_move: "The workspace is not being moved or restored.",
} as const;

async function systemPage(c: AppContext, error?: string): Promise<Response> {
  const workspace = c.get("workspace");
  const isAdmin = isAdministrator(c.get("session"));
  const moveTargets = isAdmin ? listMoveTargets(c.env, workspace) : [];
  const [{ storage, runs }, [records]] = await Promise.all([
    readStorageAndRuns(c.env, workspace, { now: Date.now(), runs: SHOWN_RUNS }),
    moveTargets.length > 0 ? readRecords(c.env, [workspace]) : [],
  ]);
  return c.html(
    <SettingsPage {...{ c, error }} section="system" docs="recompute">
      <StorageCard {...{ workspace, storage }} />
      <RunsCard {...{ workspace, isAdmin, runs }} />
      {moveTargets.length > 0 && <DatabaseCard {...{ workspace, moveTargets }} move={records?.move ?? null} />}
    </SettingsPage>,
    error === undefined ? 200 : 400,
  );
}

/** The page shows the error of a run that failed. */
async function runRecompute(c: AppContext): Promise<Flash> {
  const workspace = c.get("workspace");
  const entry = { workspace: workspace.id, actor: actorOf(c.get("session")), action: "recompute_requested" } as const;
  try {
    const { outcome } = await audited(c.env, entry, () =>
      recomputeWorkspace(c.env, workspace, { now: Date.now(), trigger: "admin" }),
    );
    return outcome === "done" ? "recomputed" : "running";
  } catch (error) {
    if (isUnavailable(error)) throw error;
    c.get("logFields").fault = describeFault(error);
    return "failed";
  }
}
