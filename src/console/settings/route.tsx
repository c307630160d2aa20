/** Settings of a workspace: who has the admin token changes them, and a key's session sees what concerns it. */
import { Hono } from "hono";
import * as z from "zod";

import { recomputeSettings } from "../../config.ts";
import { describeFault } from "../../core/describe-fault.ts";
import { acceptAgreement, withdrawAgreement } from "../../services/identity.ts";
import { readSettings } from "../../services/workspaces/workspaces.ts";
import {
  changeWorkspace,
  makeWorkspaceKey,
  recomputeNow,
  revokeWorkspaceKey,
} from "../../services/workspaces/workspace-changes.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { isUnavailable } from "../../edge/errors.ts";
import { operation } from "../../edge/request-log.ts";
import { pathOf } from "../session/context.ts";
import { requireAdminSession } from "../session/guard.ts";
import { formOf, wholeFormOf } from "../forms/read-form.ts";
import { Page } from "../layout/page.tsx";
import { missingPage } from "../layout/error-pages.tsx";
import { acceptanceForm, faultOf, keyForm, workspaceForm } from "../forms/admin-forms.ts";
import { type Deed, DEEDS } from "./flash-messages.ts";
import { type SettingsNote, SettingsView } from "./settings-view.tsx";

const query = z.object({ done: z.enum(DEEDS).optional().catch(undefined), key: z.string().optional() });

export const settingsPages = new Hono<AppEnv>()
  .get("/", operation("console_settings"), (c) => settingsPage(c, query.parse(c.req.query())))
  .post("/", operation("console_change_workspace"), requireAdminSession, async (c) => {
    const form = workspaceForm.safeParse(await formOf(c));
    if (!form.success) return settingsPage(c, { fault: faultOf(form.error) });
    await changeWorkspace(c, c.get("workspace"), form.data);
    return done(c, "changed");
  })
  .post("/keys", operation("console_create_key"), requireAdminSession, async (c) => {
    const form = keyForm.safeParse(await wholeFormOf(c));
    if (!form.success) return settingsPage(c, { fault: faultOf(form.error) });
    const made = await makeWorkspaceKey(c, c.get("workspace"), form.data, Date.now());
    return made === null ? missingPage(c) : settingsPage(c, { newKey: made.key });
  })
  .post("/keys/:keyId/revoke", operation("console_revoke_key"), requireAdminSession, async (c) => {
    const key = c.req.param("keyId");
    const revoked = await revokeWorkspaceKey(c, c.get("workspace"), key, Date.now());
    return revoked ? done(c, "revoked", { key }) : missingPage(c, "There is no such key.");
  })
  .post("/agreement", operation("console_accept_agreement"), requireAdminSession, async (c) => {
    const form = acceptanceForm.safeParse(await formOf(c));
    if (!form.success) return settingsPage(c, { fault: faultOf(form.error) });
    const agreement = { ...form.data, acceptedAt: Date.now() };
    const accepted = await timed(c, "databaseMs", () => acceptAgreement(c.env, c.get("workspace"), agreement));
    return accepted ? done(c, "accepted") : missingPage(c);
  })
  .post("/agreement/withdraw", operation("console_withdraw_agreement"), requireAdminSession, async (c) => {
    await timed(c, "databaseMs", () => withdrawAgreement(c.env, c.get("workspace"), Date.now()));
    return done(c, "withdrawn");
  })
  .post("/recompute", operation("console_recompute"), requireAdminSession, async (c) => done(c, await recomputed(c)));

async function settingsPage(c: AppContext, note: SettingsNote): Promise<Response> {
  const workspace = c.get("workspace");
  const settings = await timed(c, "databaseMs", () => readSettings(c.env, workspace));
  return c.html(
    <Page c={c} title="Settings" tab="settings">
      <SettingsView
        workspace={workspace}
        isAdmin={c.get("session").who === "admin"}
        settings={settings}
        retentionDays={recomputeSettings(c.env).retentionDays}
        note={note}
        now={Date.now()}
      />
    </Page>,
    note.fault === undefined ? 200 : 400,
  );
}

/** What failed on some workspaces is on record with the run; the page shows it there. */
async function recomputed(c: AppContext): Promise<Deed> {
  try {
    const told = await recomputeNow(c);
    return told.outcome === "done" ? "recomputed" : "running";
  } catch (error) {
    if (isUnavailable(error)) throw error;
    c.get("facts").fault = describeFault(error);
    return "failed";
  }
}

const done = (c: AppContext, deed: Deed, to?: { key: string }): Response =>
  c.redirect(`${pathOf(c.get("workspace"), "settings")}?${new URLSearchParams({ done: deed, ...to }).toString()}`, 303);
