/** Administration: workspaces, their keys, and the record of the data processing agreement. */
import { Hono } from "hono";

import { type Scope, SCOPES } from "../../core/api-key.ts";
import { readWriteLimitUsage } from "../../services/limiter.ts";
import { acceptAgreement, withdrawAgreement } from "../../services/identity.ts";
import { eraseMarked, markErased } from "../../services/workspaces/workspaces.ts";
import { requestRebuild } from "../../services/recompute/reads.ts";
import {
  describeWorkspace,
  findWorkspace,
  findWorkspaceToErase,
  listWorkspaces,
  type Workspace,
} from "../../services/workspaces/workspaces.ts";
import { answerJson } from "../../edge/answer.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { failure } from "../../edge/errors.ts";
import { iso } from "../../edge/present/iso.ts";
import { jsonBody, jsonOnly } from "../middleware/json-body.ts";
import { pageOf, pageValidator, readCursor } from "../../edge/page.ts";
import { operation } from "../../edge/request-log.ts";
import { requireAdmin } from "../middleware/admin-token.ts";
import { presentOutcome } from "../present/recompute.ts";
import { presentWorkspace } from "../present/workspace.ts";
import { acceptance, newKey, newWorkspace, workspaceChange } from "../../edge/schemas/admin-requests.ts";
import {
  changeWorkspace,
  inDatabase,
  inObject,
  makeWorkspace,
  makeWorkspaceKey,
  recomputeNow,
  revokeWorkspaceKey,
} from "../../services/workspaces/workspace-changes.ts";

const WORKSPACES = ["admin/workspaces"];

export const admin = new Hono<AppEnv>()
  .use(requireAdmin)
  .post("/recompute", operation("recompute"), async (c) =>
    answerJson(c, { ok: true, ...presentOutcome(await recomputeNow(c)) }),
  )
  .post("/workspaces", operation("create_workspace"), jsonOnly, jsonBody(newWorkspace), async (c) => {
    const { workspace, key, record } = await makeWorkspace(c, c.req.valid("json"), Date.now());
    const createdAt = iso(workspace.createdAt);
    return answerJson(
      c,
      { ok: true, workspace: { ...workspace, createdAt }, key: { id: record.id, key, scopes: SCOPES } },
      201,
    );
  })
  .get("/workspaces", operation("list_workspaces"), pageValidator, async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const before = readCursor(c, WORKSPACES, cursor);
    if (before instanceof Response) return before;
    const rows = await inDatabase(c, () => listWorkspaces(c.env, limit + 1, before));
    const { page, nextCursor } = pageOf(rows, limit, WORKSPACES, ({ number }) => number);
    const listed = await Promise.all(page.map((workspace) => details(c, workspace)));
    return answerJson(c, { ok: true, workspaces: listed, nextCursor });
  })
  .get("/workspaces/:id", operation("read_workspace"), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    return workspace === null
      ? noSuchWorkspace(c)
      : answerJson(c, { ok: true, workspace: await details(c, workspace) });
  })
  .patch("/workspaces/:id", operation("change_workspace"), jsonOnly, jsonBody(workspaceChange), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    if (workspace === null) return noSuchWorkspace(c);
    await changeWorkspace(c, workspace, c.req.valid("json"));
    const changed = (await found(c, workspace.id)) ?? workspace;
    return answerJson(c, { ok: true, workspace: await details(c, changed) });
  })
  .delete("/workspaces/:id", operation("erase_workspace"), async (c) => {
    const workspace = await inDatabase(c, () => findWorkspaceToErase(c.env, c.req.param("id")));
    if (workspace === null) return noSuchWorkspace(c);
    await inDatabase(c, () => markErased(c.env, workspace, Date.now()));
    await inObject(c, workspace.id, (limiter) => limiter.erase());
    await inDatabase(c, () => eraseMarked(c.env, workspace));
    return answerJson(c, { ok: true });
  })
  .post("/workspaces/:id/rebuild", operation("rebuild_workspace"), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    if (workspace === null) return noSuchWorkspace(c);
    await inDatabase(c, () => requestRebuild(c.env, workspace));
    return answerJson(c, { ok: true }, 202);
  })
  .post("/workspaces/:id/keys", operation("create_key"), jsonOnly, jsonBody(newKey), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    if (workspace === null) return noSuchWorkspace(c);
    const { name: keyName = null, scopes } = c.req.valid("json");
    const chosen: Scope[] | null = scopes === undefined ? null : [...new Set(scopes)];
    const made = await makeWorkspaceKey(c, workspace, { name: keyName, scopes: chosen }, Date.now());
    if (made === null) return noSuchWorkspace(c);
    const { key, record } = made;
    return answerJson(c, { ok: true, key: { id: record.id, key, name: keyName, scopes: chosen ?? SCOPES } }, 201);
  })
  .delete("/workspaces/:id/keys/:keyId", operation("revoke_key"), async (c) => {
    const { id, keyId } = c.req.param();
    const workspace = await found(c, id);
    if (workspace === null) return noSuchWorkspace(c);
    if (!(await revokeWorkspaceKey(c, workspace, keyId, Date.now()))) {
      return failure(c, "not_found", "There is no such key.");
    }
    return answerJson(c, { ok: true });
  })
  .put("/workspaces/:id/dpa", operation("accept_agreement"), jsonOnly, jsonBody(acceptance), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    if (workspace === null) return noSuchWorkspace(c);
    const agreement = { ...c.req.valid("json"), acceptedAt: Date.now() };
    if (!(await inDatabase(c, () => acceptAgreement(c.env, workspace, agreement)))) return noSuchWorkspace(c);
    return answerJson(c, { ok: true, dpa: { ...agreement, acceptedAt: new Date(agreement.acceptedAt).toISOString() } });
  })
  .delete("/workspaces/:id/dpa", operation("withdraw_agreement"), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    if (workspace === null) return noSuchWorkspace(c);
    await inDatabase(c, () => withdrawAgreement(c.env, workspace, Date.now()));
    return answerJson(c, { ok: true, dpa: null });
  });

async function found(c: AppContext, id: string): Promise<Workspace | null> {
  const workspace = await inDatabase(c, () => findWorkspace(c.env, id));
  if (workspace !== null) c.get("facts").workspace = workspace.id;
  return workspace;
}

async function details(c: AppContext, workspace: Workspace) {
  const [described, usage] = await Promise.all([
    inDatabase(c, () => describeWorkspace(c.env, workspace)),
    timed(c, "limiterMs", () => readWriteLimitUsage(c.env, workspace.id)),
  ]);
  return presentWorkspace(described, usage);
}

const noSuchWorkspace = (c: AppContext): Response => failure(c, "not_found", "There is no such workspace.");
