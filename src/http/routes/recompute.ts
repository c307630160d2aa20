/** Runs the recompute on demand: docs/wire/admin.md §9, docs/recompute.md §10. */
import * as z from "zod";

import { iso } from "../../services/present/iso.ts";
import type { AppContext } from "../../edge/app-context.ts";
import { audited } from "../../services/audited.ts";
import type { RecomputeOutcome } from "../../services/recompute/run-state.ts";
import { recompute, recomputeWorkspace } from "../../services/recompute/recompute-workspaces.ts";
import { response } from "../../edge/named-schemas.ts";
import { count, moment, ok, text } from "../../edge/responses/fields.ts";
import { route } from "../declare-route.ts";
import { admin, onWorkspace, withWorkspace } from "./workspaces.ts";

const recomputed = response(
  "RecomputeResponse",
  z.union([
    z.strictObject({ ok, skipped: z.literal("running").describe("Another run is in progress.") }),
    z.strictObject({
      ok,
      id: text,
      trigger: z.literal("admin"),
      asOf: moment,
      startedAt: moment,
      finishedAt: moment,
      complete: z.boolean().describe("False when the run ended early and left work to the next one."),
      eventsFolded: count,
      accountsScored: count,
      itemsOpened: count,
      itemsResolved: count,
      eventsDeleted: count.describe("Always 0: a run of the archive deletes messages."),
      rowsRead: count,
      rowsWritten: count,
    }),
  ]),
);

const common = {
  method: "post",
  response: { status: 200, description: "Figures of the run.", schema: recomputed },
} as const;

const RECOMPUTE = { action: "recompute_requested" } as const;

export const recomputeRoutes = [
  route(
    {
      ...admin,
      ...common,
      paths: { "/admin/recompute": "recompute" },
      summary: "Run the recompute of all workspaces now",
    },
    async (c) => {
      const run = () => recompute(c.env, { now: Date.now(), trigger: "admin" });
      return respond(c, await audited(c.env, { ...RECOMPUTE, actor: c.get("actor"), workspace: null }, run));
    },
  ),
  route(
    {
      ...onWorkspace,
      ...common,
      paths: { "/admin/workspaces/{id}/recompute": "recomputeWorkspace" },
      summary: "Run the recompute of a workspace now",
    },
    withWorkspace(async (c, workspace) => {
      const run = () => recomputeWorkspace(c.env, workspace, { now: Date.now(), trigger: "admin" });
      return respond(c, await audited(c.env, { ...RECOMPUTE, actor: c.get("actor"), workspace: workspace.id }, run));
    }),
  ),
];

function respond(c: AppContext, result: RecomputeOutcome) {
  if (result.outcome === "skipped") return c.json({ ok: true, skipped: result.reason } as const, 200);
  const { asOf, startedAt, finishedAt, ...run } = result.run;
  const times = { asOf: iso(asOf), startedAt: iso(startedAt), finishedAt: iso(finishedAt) };
  return c.json({ ok: true, ...run, eventsDeleted: 0, trigger: "admin", ...times } as const, 200);
}
