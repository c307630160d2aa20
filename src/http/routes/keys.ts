/** Manages a workspace's keys: docs/wire/admin.md §9. */
import { type Scope, SCOPES } from "../../core/api-key.ts";
import { errorResponse } from "../../edge/errors.ts";
import { newKey } from "../../edge/schemas/admin-requests.ts";
import { createKey, revokeKey } from "../../services/workspaces/workspace-changes.ts";
import { request } from "../../edge/named-schemas.ts";
import { idParam } from "../requests/path-params.ts";
import { done } from "../../edge/responses/fields.ts";
import { createdKey } from "../../edge/responses/workspace.ts";
import { route } from "../declare-route.ts";
import { noSuchWorkspace, onWorkspace, withWorkspace, workspaceParams } from "./workspaces.ts";

export const keysRoutes = [
  route(
    {
      ...onWorkspace,
      method: "post",
      paths: { "/admin/workspaces/{id}/keys": "createKey" },
      summary: "Create a key",
      body: { schema: request("NewKeyRequest", newKey), example: { name: "Web shop", scopes: ["ingest"] } },
      response: { status: 201, description: "The key, which is shown only once.", schema: createdKey },
    },
    withWorkspace(async (c, workspace) => {
      const { name = null, scopes: given } = c.req.valid("json");
      const scopes: Scope[] | null = given === undefined ? null : [...new Set(given)];
      const created = await createKey(c.env, workspace, { name, scopes }, Date.now(), "admin");
      if (created === null) return noSuchWorkspace(c);
      return c.json(
        { ok: true, key: { id: created.record.id, key: created.key, name, scopes: scopes ?? SCOPES } },
        201,
      );
    }),
  ),
  route(
    {
      ...onWorkspace,
      method: "delete",
      paths: { "/admin/workspaces/{id}/keys/{keyId}": "revokeKey" },
      summary: "Revoke a key",
      description:
        "The very next write with the key is refused. Reads are refused within 30 s, or 10 minutes while the directory is down.",
      params: workspaceParams.extend({ keyId: idParam("The key's id (`key_…`).") }),
      response: { status: 200, description: "The key is revoked.", schema: done },
    },
    withWorkspace(async (c, workspace) => {
      if (!(await revokeKey(c.env, workspace, c.req.valid("param").keyId, Date.now(), "admin"))) {
        return errorResponse(c, "not_found", "No such key.");
      }
      return c.json({ ok: true }, 200);
    }),
  ),
];
