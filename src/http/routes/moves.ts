/** Moves workspaces between databases, and restores them from backups: docs/wire/moves.md §9.1 and §9.3. */
import * as z from "zod";

import { beginningOf } from "../../core/archive/file-names.ts";
import { errorResponse } from "../../edge/errors.ts";
import { newMove, newRestore } from "../../edge/schemas/admin-requests.ts";
import { describeBackups, startRestore } from "../../services/backups/restore-workspace.ts";
import { cancelMove, startMove } from "../../services/moves/move-workspace.ts";
import { request, response } from "../../edge/named-schemas.ts";
import { count, done, moment, ok, text } from "../../edge/responses/fields.ts";
import { route } from "../declare-route.ts";
import { onWorkspace, withWorkspace } from "./workspaces.ts";

const PATH = "/admin/workspaces/{id}/move";
const starting = { ...onWorkspace, errors: ["import_running", "move_running"] } as const;
const IMPORT_RUNNING = "The workspace has an import. End it first.";

const backup = z.strictObject({
  name: text.describe("Restores take it as `backup`."),
  at: moment.describe("When it began."),
  rows: count,
  bytes: count.describe("What its rows take in a database, within a tenth."),
  complete: z.boolean().describe("Only complete backups can be restored."),
});

export const movesRoutes = [
  route(
    {
      ...starting,
      method: "post",
      paths: { [PATH]: "moveWorkspace" },
      summary: "Move a workspace to another database",
      description:
        "Writes and reads continue. Only the final step refuses writes (503) for a few seconds. Read the workspace to see the progress.",
      body: { schema: request("MoveRequest", newMove), example: { database: "DB_1" } },
      response: { status: 202, description: "The move has started.", schema: done },
    },
    withWorkspace(async (c, workspace) => {
      const { database } = c.req.valid("json");
      const outcome = await startMove(c.env, workspace, database, Date.now(), c.get("actor"));
      switch (outcome) {
        case "started":
          return c.json({ ok: true }, 202);
        case "move_running":
          return errorResponse(c, outcome, "The workspace is being moved already.");
        case "import_running":
          return errorResponse(c, outcome, IMPORT_RUNNING);
        case "not_open":
        case "same_database": {
          const message = outcome === "same_database" ? "already holds the workspace" : "is not an open database";
          return errorResponse(c, "invalid_request", "Invalid body. See issues.", [{ path: "database", message }]);
        }
      }
    }),
  ),
  route(
    {
      ...onWorkspace,
      errors: ["move_running"],
      method: "delete",
      paths: { [PATH]: "cancelMove" },
      summary: "Cancel a move before its final step",
      response: { status: 202, description: "The move is cancelled. The copy is erased within minutes.", schema: done },
    },
    withWorkspace(async (c, workspace) => {
      switch (await cancelMove(c.env, workspace, c.get("actor"))) {
        case "cancelled":
          return c.json({ ok: true }, 202);
        case "no_move":
          return errorResponse(c, "not_found", "The workspace is not being moved.");
        case "move_running":
          return errorResponse(c, "move_running", "The final step has begun, so the move can't be cancelled.");
      }
    }),
  ),
  route(
    {
      ...onWorkspace,
      method: "get",
      paths: { "/admin/workspaces/{id}/backups": "listBackups" },
      summary: "List the backups of a workspace",
      response: {
        status: 200,
        description: "All backups, the newest first.",
        schema: response("BackupsResponse", z.strictObject({ ok, backups: z.array(backup) })),
      },
    },
    withWorkspace(async (c, workspace) => {
      const backups = await describeBackups(c.env, workspace);
      return c.json({ ok: true, backups: backups.map((each) => ({ ...each, at: beginningOf(each.name) })) }, 200);
    }),
  ),
  route(
    {
      ...starting,
      method: "post",
      paths: { "/admin/workspaces/{id}/restore": "restoreWorkspace" },
      summary: "Restore a workspace from a backup",
      description:
        "Keys stay the same. Read the workspace to see the progress as a `move`. It returns 404 without such a backup.",
      body: { schema: request("RestoreRequest", newRestore), example: { database: "DB_2" } },
      response: {
        status: 202,
        description: "The restore has started.",
        schema: response("RestoreResponse", z.strictObject({ ok, backup: text.describe("The backup's name.") })),
      },
    },
    withWorkspace(async (c, workspace) => {
      const started = await startRestore(c.env, workspace, c.req.valid("json"), Date.now(), c.get("actor"));
      switch (started.outcome) {
        case "started":
          return c.json({ ok: true, backup: started.backup }, 202);
        case "move_running":
          return errorResponse(c, started.outcome, "The workspace is being moved or restored already.");
        case "import_running":
          return errorResponse(c, started.outcome, IMPORT_RUNNING);
        case "no_backup":
          return errorResponse(c, "not_found", started.message);
        case "invalid":
          return errorResponse(c, "invalid_request", "Invalid body. See issues.", [
            { path: started.path, message: started.message },
          ]);
      }
    }),
  ),
];
