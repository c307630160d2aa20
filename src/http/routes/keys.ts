/** Manages a workspace's keys: docs/wire/keys.md §22. */
import type { Context } from "hono";

import type { AppEnv } from "../../edge/app-context.ts";
import { errorResponse, type ErrorResponse } from "../../edge/errors.ts";
import { keyChange, newKey, rotation } from "../../edge/schemas/keys.ts";
import { changeKey, createKey, revokeKey, rotateKey } from "../../services/workspaces/key-changes.ts";
import { request } from "../../edge/named-schemas.ts";
import { idParam } from "../requests/path-params.ts";
import { done } from "../../edge/responses/fields.ts";
import { changedKey, createdKey, presentCreatedKey, presentKey } from "../../edge/responses/workspace.ts";
import { route } from "../declare-route.ts";
import { noSuchWorkspace, onWorkspace, withWorkspace, workspaceParams } from "./workspaces.ts";

const onKey = {
  ...onWorkspace,
  params: workspaceParams.extend({ keyId: idParam("The key's id (`key_…`).") }),
} as const;

const noSuchKey = (c: Context<AppEnv>): ErrorResponse<"not_found"> => errorResponse(c, "not_found", "No such key.");

export const keysRoutes = [
  route(
    {
      ...onWorkspace,
      method: "post",
      paths: { "/admin/workspaces/{id}/keys": "createKey" },
      summary: "Create a key",
      description: "With `origins` or `signed` the key only ingests.",
      body: { schema: request("NewKeyRequest", newKey), example: { name: "Web shop", scopes: ["ingest"] } },
      response: {
        status: 201,
        description: "The key. It is shown only once, except that administrators always see a browser key.",
        schema: createdKey,
      },
    },
    withWorkspace(async (c, workspace) => {
      const created = await createKey(c.env, workspace, c.req.valid("json"), Date.now(), c.get("actor"));
      if (created === null) return noSuchWorkspace(c);
      return c.json({ ok: true, key: presentCreatedKey(created) }, 201);
    }),
  ),
  route(
    {
      ...onKey,
      method: "patch",
      paths: { "/admin/workspaces/{id}/keys/{keyId}": "changeKey" },
      summary: "Change a key",
      description: "A change reaches every request within 30 s.",
      body: { schema: request("KeyChangeRequest", keyChange), example: { name: "Web shop", writeLimit: 50 } },
      response: { status: 200, description: "The changed key.", schema: changedKey },
    },
    withWorkspace(async (c, workspace) => {
      const changed = await changeKey(
        c.env,
        workspace,
        c.req.valid("param").keyId,
        c.req.valid("json"),
        c.get("actor"),
      );
      if (changed === null) return noSuchKey(c);
      if (changed === "secret") {
        const message = "must be absent: only a key that was created with origins has them";
        return errorResponse(c, "invalid_request", "Invalid body. See issues.", [{ path: "origins", message }]);
      }
      return c.json({ ok: true, key: presentKey(changed) }, 200);
    }),
  ),
  route(
    {
      ...onKey,
      method: "post",
      paths: { "/admin/workspaces/{id}/keys/{keyId}/rotate": "rotateKey" },
      summary: "Replace a key",
      description:
        "The new key has the same settings, and as much time as the old one had. The old key ends after `graceHours`.",
      body: { schema: request("KeyRotationRequest", rotation), example: { graceHours: 24 }, isOptional: true },
      response: { status: 201, description: "The new key, which is shown only once.", schema: createdKey },
    },
    withWorkspace(async (c, workspace) => {
      const { keyId } = c.req.valid("param");
      const { graceHours } = c.req.valid("json");
      const created = await rotateKey(c.env, workspace, keyId, graceHours, Date.now(), c.get("actor"));
      if (created === null) return noSuchKey(c);
      if ("successor" in created) {
        const message = `The key was rotated already. Rotate its successor ${created.successor}, or revoke that first.`;
        return errorResponse(c, "invalid_request", message);
      }
      return c.json({ ok: true, key: presentCreatedKey(created) }, 201);
    }),
  ),
  route(
    {
      ...onKey,
      method: "delete",
      paths: { "/admin/workspaces/{id}/keys/{keyId}": "revokeKey" },
      summary: "Revoke a key",
      description:
        "The very next write with the key is refused. Reads are refused within 30 s, or 10 minutes while the directory is down.",
      response: { status: 200, description: "The key is revoked.", schema: done },
    },
    withWorkspace(async (c, workspace) => {
      const isRevoked = await revokeKey(c.env, workspace, c.req.valid("param").keyId, Date.now(), c.get("actor"));
      return isRevoked ? c.json({ ok: true }, 200) : noSuchKey(c);
    }),
  ),
];
