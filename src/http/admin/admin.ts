/** Administration: workspaces, their keys, and the record of the data processing agreement. */
import { Hono } from "hono";
import * as z from "zod";

import { MAX_WRITE_LIMIT, recomputeSettings } from "../../config.ts";
import { type Scope, SCOPES } from "../../core/api-key.ts";
import { DEFAULT_WRITE_LIMIT } from "../../core/limit/policy.ts";
import { acceptAgreement, withdrawAgreement } from "../../db/agreement-store.ts";
import { eraseMarked, markErased } from "../../db/erasure.ts";
import { insertKey, revokeKey } from "../../db/key-store.ts";
import { requestRebuild } from "../../db/rebuild-request.ts";
import {
  describeWorkspace,
  findWorkspace,
  findWorkspaceToErase,
  insertWorkspace,
  listWorkspaces,
  updateWorkspace,
  type Workspace,
} from "../../db/workspace-store.ts";
import { askObject } from "../../limiter/ask-object.ts";
import { recompute } from "../../recompute/recompute.ts";
import { type AppContext, type AppEnv, timed } from "../context.ts";
import { forgetKey } from "../credentials.ts";
import { failure } from "../errors.ts";
import { jsonBody, jsonOnly } from "../json-body.ts";
import { pageOf, pageValidator, readCursor } from "../page.ts";
import { operation } from "../request-log.ts";
import { requireAdmin } from "./authorize.ts";
import { makeKey, randomId } from "./make-key.ts";
import { presentOutcome } from "./present-outcome.ts";
import { presentWorkspace } from "./present-workspace.ts";

const name = z.string().trim().min(1).max(200);
const writeLimit = z.int().min(1).max(MAX_WRITE_LIMIT);
const newWorkspace = z.strictObject({ name, writeLimit: writeLimit.default(DEFAULT_WRITE_LIMIT) });
const workspaceChange = z.strictObject({ name: name.optional(), writeLimit: writeLimit.optional() });
const newKey = z.strictObject({ name: name.optional(), scopes: z.array(z.enum(SCOPES)).min(1).optional() });
const acceptance = z.strictObject({ acceptedBy: name, version: name });

const WORKSPACES = ["admin/workspaces"];

export const admin = new Hono<AppEnv>()
  .use(requireAdmin)
  .post("/recompute", operation("recompute"), async (c) => {
    const settings = recomputeSettings(c.env);
    const told = await recompute(c.env, { now: Date.now(), trigger: "admin", clock: Date.now, ...settings });
    return c.json({ ok: true, ...presentOutcome(told) });
  })
  .post("/workspaces", operation("create_workspace"), jsonOnly, jsonBody(newWorkspace), async (c) => {
    const now = Date.now();
    const workspace = { id: randomId("ws"), ...c.req.valid("json"), createdAt: now };
    const { key, record } = await makeKey(null, null, now);
    // The object first: a workspace must not come to be with another limit than it was made with.
    await inObject(c, workspace.id, (object) => object.setLimit(workspace.writeLimit));
    await inDatabase(c, () => insertWorkspace(c.env, workspace, record));
    const createdAt = new Date(now).toISOString();
    return c.json(
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
    return c.json({ ok: true, workspaces: listed, nextCursor });
  })
  .get("/workspaces/:id", operation("read_workspace"), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    return workspace === null ? noSuchWorkspace(c) : c.json({ ok: true, workspace: await details(c, workspace) });
  })
  .patch("/workspaces/:id", operation("change_workspace"), jsonOnly, jsonBody(workspaceChange), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    if (workspace === null) return noSuchWorkspace(c);
    const change = c.req.valid("json");
    await inDatabase(c, () => updateWorkspace(c.env, workspace, change));
    const { writeLimit: limit } = change;
    if (limit !== undefined) await inObject(c, workspace.id, (object) => object.setLimit(limit));
    const changed = (await found(c, workspace.id)) ?? workspace;
    return c.json({ ok: true, workspace: await details(c, changed) });
  })
  .delete("/workspaces/:id", operation("erase_workspace"), async (c) => {
    const workspace = await inDatabase(c, () => findWorkspaceToErase(c.env, c.req.param("id")));
    if (workspace === null) return noSuchWorkspace(c);
    await inDatabase(c, () => markErased(c.env, workspace, Date.now()));
    await inObject(c, workspace.id, (object) => object.erase());
    await inDatabase(c, () => eraseMarked(c.env, workspace));
    return c.json({ ok: true });
  })
  .post("/workspaces/:id/rebuild", operation("rebuild_workspace"), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    if (workspace === null) return noSuchWorkspace(c);
    await inDatabase(c, () => requestRebuild(c.env, workspace));
    return c.json({ ok: true }, 202);
  })
  .post("/workspaces/:id/keys", operation("create_key"), jsonOnly, jsonBody(newKey), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    if (workspace === null) return noSuchWorkspace(c);
    const { name: keyName = null, scopes } = c.req.valid("json");
    const chosen: Scope[] | null = scopes === undefined ? null : [...new Set(scopes)];
    const { key, record } = await makeKey(keyName, chosen, Date.now());
    if (!(await inDatabase(c, () => insertKey(c.env, workspace.id, record)))) return noSuchWorkspace(c);
    return c.json({ ok: true, key: { id: record.id, key, name: keyName, scopes: chosen ?? SCOPES } }, 201);
  })
  .delete("/workspaces/:id/keys/:keyId", operation("revoke_key"), async (c) => {
    const { id, keyId } = c.req.param();
    const workspace = await found(c, id);
    if (workspace === null) return noSuchWorkspace(c);
    if (!(await inDatabase(c, () => revokeKey(c.env, workspace, keyId, Date.now()))))
      return failure(c, "not_found", "There is no such key.");
    forgetKey(keyId);
    await inObject(c, workspace.id, (object) => object.revokeKey(keyId));
    return c.json({ ok: true });
  })
  .put("/workspaces/:id/dpa", operation("accept_agreement"), jsonOnly, jsonBody(acceptance), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    if (workspace === null) return noSuchWorkspace(c);
    const agreement = { ...c.req.valid("json"), acceptedAt: Date.now() };
    if (!(await inDatabase(c, () => acceptAgreement(c.env, workspace, agreement)))) return noSuchWorkspace(c);
    return c.json({ ok: true, dpa: { ...agreement, acceptedAt: new Date(agreement.acceptedAt).toISOString() } });
  })
  .delete("/workspaces/:id/dpa", operation("withdraw_agreement"), async (c) => {
    const workspace = await found(c, c.req.param("id"));
    if (workspace === null) return noSuchWorkspace(c);
    await inDatabase(c, () => withdrawAgreement(c.env, workspace, Date.now()));
    return c.json({ ok: true, dpa: null });
  });

async function found(c: AppContext, id: string): Promise<Workspace | null> {
  const workspace = await inDatabase(c, () => findWorkspace(c.env, id));
  if (workspace !== null) c.get("facts").workspace = workspace.id;
  return workspace;
}

async function details(c: AppContext, workspace: Workspace) {
  const [described, counters] = await Promise.all([
    inDatabase(c, () => describeWorkspace(c.env, workspace)),
    inObject(c, workspace.id, (object) => object.counters()),
  ]);
  return presentWorkspace(described, counters);
}

const inDatabase = <T>(c: AppContext, work: () => Promise<T>): Promise<T> => timed(c, "databaseMs", work);

const inObject = <T>(c: AppContext, id: string, call: Parameters<typeof askObject<T>>[2]): Promise<T> =>
  timed(c, "limiterMs", () => askObject(c.env, id, call));

const noSuchWorkspace = (c: AppContext): Response => failure(c, "not_found", "There is no such workspace.");
