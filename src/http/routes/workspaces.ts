/** Manages workspaces: docs/wire/admin.md §9. */
import type { Context } from "hono";
import * as z from "zod";

import { RETRY_AFTER_FAULT_SECONDS } from "../../config.ts";
import { SCOPES } from "../../core/api-key.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { invalidCursor, pageOf, readCursor } from "../../edge/cursor.ts";
import { errorResponse, type ErrorResponse } from "../../edge/errors.ts";
import { iso } from "../../services/present/iso.ts";
import { newWorkspace, workspaceChange } from "../../edge/schemas/admin-requests.ts";
import { pageQuery } from "../../edge/schemas/list-queries.ts";
import { requestRebuild } from "../../db/recompute/rebuild-sql.ts";
import { audited } from "../../services/audited.ts";
import {
  changeWorkspace,
  createWorkspace,
  eraseWorkspace,
  readWorkspaceDetails,
} from "../../services/workspaces/workspace-changes.ts";
import { findWorkspace, findInAnyState, type Workspace } from "../../db/workspaces/find-workspace.ts";
import { listWorkspaces } from "../../db/workspaces/list-workspaces.ts";
import { request } from "../../edge/named-schemas.ts";
import { idParam } from "../requests/path-params.ts";
import { done, erased } from "../../edge/responses/fields.ts";
import { createdWorkspace, oneWorkspace, presentWorkspace, workspaces } from "../../edge/responses/workspace.ts";
import { route } from "../declare-route.ts";

const LIST = ["admin/workspaces"];
const PATH = "/admin/workspaces/{id}";

export const admin = { tag: "Administration", access: "admin" } as const;

export const workspaceParams = z.object({ id: idParam("The workspace's id (`ws_…`).") });
/** The fields that the administration's operations on a workspace share. */
export const onWorkspace = { ...admin, params: workspaceParams } as const;

export const workspacesRoutes = [
  route(
    {
      ...admin,
      method: "post",
      paths: { "/admin/workspaces": "createWorkspace" },
      summary: "Create a workspace and its first key",
      body: {
        schema: request("NewWorkspaceRequest", newWorkspace),
        example: { name: "Acme Analytics", writeLimit: 500 },
      },
      response: {
        status: 201,
        description: "The workspace, and a key with all scopes, which is shown only once.",
        schema: createdWorkspace,
      },
    },
    async (c) => {
      const fields = c.req.valid("json");
      const made = await createWorkspace(c.env, fields, Date.now(), c.get("actor"));
      if (made.outcome === "no_open_database") {
        const message = fields.database === undefined ? "needs an open database: add one" : "must be an open database";
        return errorResponse(c, "invalid_request", "Invalid body. See issues.", [{ path: "database", message }]);
      }
      if (made.outcome !== "created") {
        // The creation took over a minute, so the cron has removed the workspace.
        c.header("Retry-After", String(RETRY_AFTER_FAULT_SECONDS));
        return errorResponse(c, "unavailable", "The service is busy. Retry the same request.");
      }
      const { workspace, key, record } = made;
      const { id, name, writeLimit, createdAt } = workspace;
      const created = { id, name, writeLimit, createdAt: iso(createdAt) };
      return c.json({ ok: true, workspace: created, key: { id: record.id, key, scopes: SCOPES } }, 201);
    },
  ),
  route(
    {
      ...admin,
      method: "get",
      paths: { "/admin/workspaces": "listWorkspaces" },
      summary: "List workspaces, newest first",
      query: pageQuery,
      response: { status: 200, description: "A page of workspaces.", schema: workspaces },
    },
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const before = readCursor(LIST, cursor);
      if (before === undefined) return invalidCursor(c);
      const entries = await listWorkspaces(c.env, limit + 1, before);
      const { page, nextCursor } = pageOf(entries, limit, LIST, ({ number }) => number);
      const listed = await readWorkspaceDetails(c.env, page);
      return c.json({ ok: true, workspaces: listed.map(presentWorkspace), nextCursor }, 200);
    },
  ),
  route(
    {
      ...onWorkspace,
      method: "get",
      paths: { [PATH]: "readWorkspace" },
      summary: "Read a workspace",
      response: { status: 200, description: "The workspace and its keys, without secrets.", schema: oneWorkspace },
    },
    withWorkspace(async (c, workspace) => {
      return c.json({ ok: true, workspace: await readAndPresent(c, workspace) }, 200);
    }),
  ),
  route(
    {
      ...onWorkspace,
      method: "patch",
      paths: { [PATH]: "changeWorkspace" },
      summary: "Change a workspace",
      description:
        "New limits apply to the next write. New rates apply to all answers within 30 s. Repeat the call if it fails.",
      body: { schema: request("WorkspaceChangeRequest", workspaceChange), example: { writeLimit: 1_000 } },
      response: { status: 200, description: "The updated workspace.", schema: oneWorkspace },
    },
    withWorkspace(async (c, workspace) => {
      const change = c.req.valid("json");
      const { rates = workspace.rates, currency = workspace.currency } = change;
      if (currency !== null && (rates?.[currency] ?? 1) !== 1) {
        const message = `must be 1 for the currency ${currency}, or absent`;
        const issue = { path: change.rates == null ? "currency" : `rates.${currency}`, message };
        return errorResponse(c, "invalid_request", "Invalid body. See issues.", [issue]);
      }
      const changed = await changeWorkspace(c.env, workspace, change, Date.now(), c.get("actor"));
      return c.json({ ok: true, workspace: await readAndPresent(c, changed) }, 200);
    }),
  ),
  route(
    {
      ...onWorkspace,
      method: "delete",
      paths: { [PATH]: "eraseWorkspace" },
      summary: "Erase a workspace and everything in it",
      response: {
        status: 200,
        description: "The workspace is erased.",
        accepted: "The workspace is invisible. The rest of a very large one is erased within minutes.",
        schema: erased,
      },
    },
    async (c) => {
      const { id } = c.req.valid("param");
      const workspace = await findInAnyState(c.env, id);
      if (workspace === null) return noSuchWorkspace(c);
      const isErased = await eraseWorkspace(c.env, workspace, Date.now(), c.get("actor"));
      return isErased ? c.json({ ok: true }, 200) : c.json({ ok: true, archive: "pending" }, 202);
    },
  ),
  route(
    {
      ...onWorkspace,
      method: "post",
      paths: { [`${PATH}/rebuild`]: "rebuildWorkspace" },
      summary: "Rebuild a workspace's rollups",
      response: { status: 202, description: "The next recompute rebuilds them.", schema: done },
    },
    withWorkspace(async (c, workspace) => {
      const entry = { workspace: workspace.id, actor: c.get("actor"), action: "rebuild_requested" } as const;
      await audited(c.env, entry, () => requestRebuild(c.env, workspace));
      return c.json({ ok: true }, 202);
    }),
  ),
];

export function withWorkspace<C extends Context<AppEnv, string, { out: { param: { id: string } } }>, Answer>(
  handler: (c: C, workspace: Workspace) => Promise<Answer>,
) {
  return async (c: C): Promise<Answer | ErrorResponse<"not_found">> => {
    const workspace = await findWorkspace(c.env, c.req.valid("param").id);
    if (workspace === null) return noSuchWorkspace(c);
    c.get("logFields").workspace = workspace.id;
    return handler(c, workspace);
  };
}

export const noSuchWorkspace = (c: AppContext): ErrorResponse<"not_found"> =>
  errorResponse(c, "not_found", "No such workspace.");

async function readAndPresent(c: AppContext, workspace: Workspace) {
  const [details] = await readWorkspaceDetails(c.env, [workspace]);
  if (details === undefined) throw new Error("the details of a workspace are missing");
  return presentWorkspace(details);
}
