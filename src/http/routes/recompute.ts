/** Runs the recompute on demand: docs/wire.md §9, docs/health.md §10. */
import * as z from "zod";

import { iso } from "../../edge/present/iso.ts";
import { recomputeAll } from "../../services/recompute/recompute.ts";
import { response } from "../named-schemas.ts";
import { count, moment, ok, text } from "../responses/fields.ts";
import { route } from "../route.ts";

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
      eventsDeleted: count,
      rowsRead: count,
      rowsWritten: count,
    }),
  ]),
);

export const recomputeRoute = route(
  {
    name: "recompute",
    method: "post",
    paths: { "/admin/recompute": "recompute" },
    tag: "Administration",
    summary: "Run the recompute now",
    access: "admin",
    response: { status: 200, description: "Figures of the run.", schema: recomputed },
  },
  async (c) => {
    const result = await recomputeAll(c.env, Date.now());
    if (result.outcome === "skipped") return c.json({ ok: true, skipped: result.reason }, 200);
    const { asOf, startedAt, finishedAt, ...run } = result.run;
    const times = { asOf: iso(asOf), startedAt: iso(startedAt), finishedAt: iso(finishedAt) };
    return c.json({ ok: true, ...run, trigger: "admin", ...times }, 200);
  },
);
