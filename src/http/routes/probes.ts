/** Liveness and readiness probes: docs/wire.md §1. */
import { timed } from "../../edge/context.ts";
import { pingDatabase } from "../../services/database.ts";
import { route } from "../route.ts";
import { FAULTS } from "../schemas/error-sets.ts";
import { done } from "../schemas/shapes.ts";

const common = { method: "get", tag: "Service", access: null } as const;

export const probesRoutes = [
  route(
    {
      ...common,
      name: "liveness",
      paths: { "/healthz": "checkLiveness" },
      summary: "Check that the Worker runs",
      response: { status: 200, description: "The Worker runs.", schema: done },
      errors: [],
    },
    (c) => c.json({ ok: true }, 200),
  ),
  route(
    {
      ...common,
      name: "readiness",
      paths: { "/readyz": "checkReadiness" },
      summary: "Check that the database responds",
      response: { status: 200, description: "The database responds.", schema: done },
      errors: FAULTS,
    },
    async (c) => {
      await timed(c, "databaseMs", () => pingDatabase(c.env));
      return c.json({ ok: true }, 200);
    },
  ),
];
