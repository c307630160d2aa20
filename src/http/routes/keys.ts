/** Manages a workspace's keys: docs/wire.md §9. */
import { type Scope, SCOPES } from "../../core/api-key.ts";
import { callOf } from "../../edge/context.ts";
import { errorResponse } from "../../edge/errors.ts";
import { newKey } from "../../edge/schemas/admin-requests.ts";
import { createKey, revokeKey } from "../../services/workspaces/workspace-changes.ts";
import { route } from "../route.ts";
import { createdKey } from "../schemas/administration.ts";
import { ADMIN, JSON_BODY } from "../schemas/error-sets.ts";
import { request } from "../schemas/registry.ts";
import { idParam } from "../schemas/requests.ts";
import { done } from "../schemas/shapes.ts";
import { noSuchWorkspace, requireWorkspace, workspaceParams } from "./workspaces.ts";

const admin = { tag: "Administration", access: "admin" } as const;

export const keysRoutes = [
  route(
    {
      ...admin,
      name: "create_key",
      method: "post",
      paths: { "/admin/workspaces/{id}/keys": "createKey" },
      summary: "Create a key",
      params: workspaceParams,
      body: { schema: request("NewKeyRequest", newKey), example: { name: "Web shop", scopes: ["ingest"] } },
      response: { status: 201, description: "The key, which is shown only once.", schema: createdKey },
      errors: [...ADMIN, ...JSON_BODY],
    },
    async (c) => {
      const workspace = await requireWorkspace(c, c.req.valid("param").id);
      if (workspace instanceof Response) return workspace;
      const { name = null, scopes: given } = c.req.valid("json");
      const scopes: Scope[] | null = given === undefined ? null : [...new Set(given)];
      const created = await createKey(callOf(c), workspace, { name, scopes }, Date.now());
      if (created === null) return noSuchWorkspace(c);
      return c.json(
        { ok: true, key: { id: created.record.id, key: created.key, name, scopes: scopes ?? SCOPES } },
        201,
      );
    },
  ),
  route(
    {
      ...admin,
      name: "revoke_key",
      method: "delete",
      paths: { "/admin/workspaces/{id}/keys/{keyId}": "revokeKey" },
      summary: "Revoke a key",
      description: "The very next write with the key is refused. Reads are refused within 30 s.",
      params: workspaceParams.extend({ keyId: idParam("The key's id (`key_…`).") }),
      response: { status: 200, description: "The key is revoked.", schema: done },
      errors: ADMIN,
    },
    async (c) => {
      const { id, keyId } = c.req.valid("param");
      const workspace = await requireWorkspace(c, id);
      if (workspace instanceof Response) return workspace;
      if (!(await revokeKey(callOf(c), workspace, keyId, Date.now()))) {
        return errorResponse(c, "not_found", "There is no such key.");
      }
      return c.json({ ok: true }, 200);
    },
  ),
];
