/** Opens and closes imports: docs/wire/admin.md §21. */
import * as z from "zod";

import { errorResponse } from "../../edge/errors.ts";
import { request, response } from "../../edge/named-schemas.ts";
import { done, ok } from "../../edge/responses/fields.ts";
import { presentImport, runningImport } from "../../edge/responses/workspace.ts";
import { newImport } from "../../edge/schemas/admin-requests.ts";
import { endImport, startImport } from "../../services/workspaces/imports.ts";
import { route } from "../declare-route.ts";
import { onWorkspace, withWorkspace } from "./workspaces.ts";

const PATH = "/admin/workspaces/{id}/import";

export const importsRoutes = [
  route(
    {
      ...onWorkspace,
      method: "post",
      paths: { [PATH]: "startImport" },
      summary: "Open an import of historical data",
      description:
        "Until it ends, its write limit applies and accounts aren't scored. Then the workspace's own limit applies again and the history is scored.",
      errors: ["import_running", "move_running"],
      body: {
        schema: request("ImportRequest", newImport),
        example: { writeLimit: 10_000, ttlHours: 24 },
        isOptional: true,
      },
      response: {
        status: 201,
        description: "The import is open.",
        schema: response("ImportResponse", z.strictObject({ ok, import: runningImport })),
      },
    },
    withWorkspace(async (c, workspace) => {
      const started = await startImport(c.env, workspace, c.req.valid("json"), Date.now(), c.get("actor"));
      switch (started) {
        case "import_running":
          return errorResponse(c, started, "The workspace has an import already.");
        case "move_running":
          return errorResponse(c, started, "The workspace is being moved or restored.");
        default:
          return c.json({ ok: true, import: presentImport(started) }, 201);
      }
    }),
  ),
  route(
    {
      ...onWorkspace,
      method: "delete",
      paths: { [PATH]: "endImport" },
      summary: "End an import",
      response: { status: 200, description: "The import has ended. The next recompute scores.", schema: done },
    },
    withWorkspace(async (c, workspace) => {
      if (await endImport(c.env, workspace, c.get("actor"))) return c.json({ ok: true }, 200);
      return errorResponse(c, "not_found", "The workspace has no import.");
    }),
  ),
];
