/** Lists databases, and decides which ones take new workspaces: docs/wire/admin.md §9. */
import * as z from "zod";

import { errorResponse } from "../../edge/errors.ts";
import { isoOrNull } from "../../services/present/iso.ts";
import { databaseChange } from "../../edge/schemas/admin-requests.ts";
import { changeDatabase } from "../../services/database-placement.ts";
import { type DatabaseFigures, readDatabases } from "../../db/databases/database-capacity.ts";
import { request, response } from "../../edge/named-schemas.ts";
import { idParam } from "../requests/path-params.ts";
import { count, moment, ok, text } from "../../edge/responses/fields.ts";
import { route } from "../declare-route.ts";
import { admin } from "./workspaces.ts";

const database = response(
  "Database",
  z.strictObject({
    name: text.describe("The name of the binding."),
    state: z.enum(["open", "draining", "full"]).describe("Only `open` databases take new workspaces."),
    bytes: count,
    share: z.number().min(0).describe("Fraction of the maximum size in use."),
    workspaces: count,
    oldestUnfoldedAt: moment.nullable().describe("When the oldest unprocessed message was received."),
  }),
);

export const databasesRoutes = [
  route(
    {
      ...admin,
      method: "get",
      paths: { "/admin/databases": "listDatabases" },
      summary: "List databases",
      response: {
        status: 200,
        description: "All databases, the one with the directory first.",
        schema: response("DatabasesResponse", z.strictObject({ ok, databases: z.array(database) })),
      },
    },
    async (c) => {
      const databases = await readDatabases(c.env);
      return c.json({ ok: true, databases: databases.map(present) }, 200);
    },
  ),
  route(
    {
      ...admin,
      method: "patch",
      paths: { "/admin/databases/{name}": "changeDatabase" },
      summary: "Open or drain a database",
      description: "A `full` database stays `full` until it has room.",
      params: z.object({ name: idParam("The database's name (`DB_1`).") }),
      body: { schema: request("DatabaseChangeRequest", databaseChange), example: { state: "draining" } },
      response: {
        status: 200,
        description: "The changed database.",
        schema: response("DatabaseResponse", z.strictObject({ ok, database })),
      },
    },
    async (c) => {
      const { name } = c.req.valid("param");
      const changed = await changeDatabase(c.env, name, c.req.valid("json").state, c.get("actor"));
      if (changed === null) return errorResponse(c, "not_found", "No such database.");
      return c.json({ ok: true, database: present(changed) }, 200);
    },
  ),
];

const present = ({ fullInDays: _fullInDays, oldestUnfoldedAt, ...rest }: DatabaseFigures) => ({
  ...rest,
  oldestUnfoldedAt: isoOrNull(oldestUnfoldedAt),
});
