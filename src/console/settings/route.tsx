/** The workspace's settings. A key's session sees some of them; only administrators change them. */
import { Hono } from "hono";
import * as z from "zod";

import { recomputeSettings } from "../../config.ts";
import { describeFault } from "../../core/describe-fault.ts";
import { type AppContext, type AppEnv, callOf, timed } from "../../edge/context.ts";
import { isUnavailable } from "../../edge/errors.ts";
import { operation } from "../../edge/request-log.ts";
import { withdrawAgreement } from "../../services/erasure.ts";
import { acceptAgreement } from "../../services/identity.ts";
import { recomputeAll } from "../../services/recompute/recompute-all.ts";
import { changeWorkspace, createKey, revokeKey } from "../../services/workspaces/workspace-changes.ts";
import { readSettings } from "../../services/workspaces/workspaces.ts";
import { agreementForm, formErrorOf, keyForm, workspaceForm } from "../forms/admin-forms.ts";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../session/context.ts";
import { requireAdmin } from "../session/guards.ts";
import { type Flash, FLASHES } from "./flash-messages.ts";
import { type ActionResult, SettingsView } from "./settings-view.tsx";

const query = z.object({ done: z.enum(FLASHES).optional().catch(undefined), key: z.string().optional() });

export const settingsPages = new Hono<AppEnv>()
  .get("/", operation("console_settings"), (c) => settingsPage(c, query.parse(c.req.query())))
  .post("/", operation("console_change_workspace"), requireAdmin, async (c) => {
    const form = workspaceForm.safeParse(await readForm(c));
    if (!form.success) return settingsPage(c, { error: formErrorOf(form.error) });
    await changeWorkspace(callOf(c), c.get("workspace"), form.data);
    return redirectTo(c, "changed");
  })
  .post("/keys", operation("console_create_key"), requireAdmin, async (c) => {
    const form = keyForm.safeParse(await readForm(c));
    if (!form.success) return settingsPage(c, { error: formErrorOf(form.error) });
    const { creationId, ...fields } = form.data;
    const id = `key_${creationId}`;
    const created = await createKey(callOf(c), c.get("workspace"), { ...fields, id }, Date.now());
    return created === null ? redirectTo(c, "key_exists", { key: id }) : settingsPage(c, { newKey: created.key });
  })
  .post("/keys/:keyId/revoke", operation("console_revoke_key"), requireAdmin, async (c) => {
    const key = c.req.param("keyId");
    const isRevoked = await revokeKey(callOf(c), c.get("workspace"), key, Date.now());
    return isRevoked ? redirectTo(c, "revoked", { key }) : notFoundPage(c, "This key does not exist.");
  })
  .post("/agreement", operation("console_accept_agreement"), requireAdmin, async (c) => {
    const form = agreementForm.safeParse(await readForm(c));
    if (!form.success) return settingsPage(c, { error: formErrorOf(form.error) });
    const agreement = { ...form.data, acceptedAt: Date.now() };
    const isAccepted = await timed(c, "databaseMs", () => acceptAgreement(c.env, c.get("workspace"), agreement));
    return isAccepted ? redirectTo(c, "accepted") : notFoundPage(c);
  })
  .post("/agreement/withdraw", operation("console_withdraw_agreement"), requireAdmin, async (c) => {
    await timed(c, "databaseMs", () => withdrawAgreement(c.env, c.get("workspace"), Date.now()));
    return redirectTo(c, "withdrawn");
  })
  .post("/recompute", operation("console_recompute"), requireAdmin, async (c) => redirectTo(c, await runRecompute(c)));

async function settingsPage(c: AppContext, result: ActionResult): Promise<Response> {
  const workspace = c.get("workspace");
  const settings = await timed(c, "databaseMs", () => readSettings(c.env, workspace));
  return c.html(
    <Page c={c} title="Settings" tab="settings">
      <SettingsView
        workspace={workspace}
        isAdmin={c.get("session").by === "admin"}
        settings={settings}
        retentionDays={recomputeSettings(c.env).retentionDays}
        result={result}
        now={Date.now()}
      />
    </Page>,
    result.error === undefined ? 200 : 400,
  );
}

/** The page shows the error of a run that failed. */
async function runRecompute(c: AppContext): Promise<Flash> {
  try {
    const { outcome } = await recomputeAll(c.env, "admin", Date.now());
    return outcome === "done" ? "recomputed" : "running";
  } catch (error) {
    if (isUnavailable(error)) throw error;
    c.get("facts").fault = describeFault(error);
    return "failed";
  }
}

const redirectTo = (c: AppContext, done: Flash, key?: { key: string }): Response =>
  c.redirect(`${pathOf(c.get("workspace"), "settings")}?${new URLSearchParams({ done, ...key }).toString()}`, 303);
