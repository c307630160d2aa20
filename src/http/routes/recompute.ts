/** Runs the recompute on demand: docs/wire.md §9. */
import { recomputeAll } from "../../services/recompute/recompute-all.ts";
import { presentRun } from "../present/recompute.ts";
import { route } from "../route.ts";
import { recomputed } from "../schemas/administration.ts";
import { ADMIN } from "../schemas/error-sets.ts";

export const recomputeRoute = route(
  {
    name: "recompute",
    method: "post",
    paths: { "/admin/recompute": "recompute" },
    tag: "Administration",
    summary: "Run the recompute now",
    access: "admin",
    response: { status: 200, description: "Figures of the run.", schema: recomputed },
    errors: ADMIN,
  },
  async (c) => c.json(presentRun(await recomputeAll(c.env, "admin", Date.now())), 200),
);
