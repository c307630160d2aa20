/** The workspace's settings, in pages. A key's session sees some of them; only administrators change them. */
import { Hono } from "hono";

import { isAdministrator } from "../../core/role.ts";
import { retentionSettings } from "../../config.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { acceptance } from "../../edge/schemas/admin-requests.ts";
import { requiredIdentifier } from "../../core/ingest/identifiers.ts";
import { acceptAgreement, withdrawAgreement } from "../../services/agreement.ts";
import { eraseUserIn } from "../../services/erase-user.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { changeWorkspace } from "../../services/workspaces/workspace-changes.ts";
import { readRecords } from "../../db/workspaces/list-workspaces.ts";
import { formErrorOf, NameAndLimit, settingsForm } from "../forms/admin-forms.tsx";
import { Field } from "../forms/fields.tsx";
import { readForm } from "../forms/read-form.ts";
import { Card, Stat } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { pathOf } from "../paths.ts";
import { requireAdmin, requireScope } from "../session/guards.ts";
import { actorOf, mayPost } from "../session/session.ts";
import { AgreementCard } from "./agreement-card.tsx";
import { ErasureCard } from "./erasure-card.tsx";
import { keysPages } from "./keys-route.tsx";
import { redirectTo, SettingsPage } from "./settings-page.tsx";
import { systemPages } from "./system-route.tsx";

const isAdminIn = (c: AppContext): boolean => isAdministrator(c.get("session"));

export const settingsPages = new Hono<AppEnv>()
  .get("/", operation("console_settings"), (c) => generalPage(c))
  .post("/", operation("console_change_workspace"), requireAdmin, async (c) => {
    const form = settingsForm.safeParse(await readForm(c));
    if (!form.success) return generalPage(c, formErrorOf(form.error));
    await changeWorkspace(c.env, c.get("workspace"), form.data, Date.now(), actorOf(c.get("session")));
    return redirectTo(c, "general", "changed");
  })
  .route("/keys", keysPages)
  .get("/privacy", operation("console_privacy"), (c) => privacyPage(c))
  .post("/agreement", operation("console_accept_agreement"), requireAdmin, async (c) => {
    const form = acceptance.safeParse(await readForm(c));
    if (!form.success) return privacyPage(c, formErrorOf(form.error));
    const accepted = await acceptAgreement(c.env, c.get("workspace"), form.data, Date.now(), actorOf(c.get("session")));
    return accepted === null ? notFoundPage(c) : redirectTo(c, "privacy", "accepted");
  })
  .post("/agreement/withdraw", operation("console_withdraw_agreement"), requireAdmin, async (c) => {
    await withdrawAgreement(c.env, c.get("workspace"), Date.now(), actorOf(c.get("session")));
    return redirectTo(c, "privacy", "withdrawn");
  })
  .post("/erase", operation("console_erase_user"), requireScope("identity"), async (c) => {
    const { userId } = await readForm(c);
    const id = requiredIdentifier("").safeParse(userId);
    if (!id.success) return privacyPage(c, `“User id” ${id.error.issues[0]?.message}.`);
    await eraseUserIn(c.env, c.get("workspace"), id.data);
    return redirectTo(c, "privacy", "erased");
  })
  .route("/", systemPages);

/** Offered by the form, which accepts all others too. */
const COMMON_TIME_ZONES = [
  "UTC",
  "America/Los_Angeles",
  "America/Chicago",
  "America/New_York",
  "America/Sao_Paulo",
  "Europe/London",
  "Europe/Berlin",
  "Europe/Helsinki",
  "Asia/Kolkata",
  "Asia/Singapore",
  "Asia/Tokyo",
  "Australia/Sydney",
];

function generalPage(c: AppContext, error?: string) {
  const workspace = c.get("workspace");
  const { hotDays, archiveDays, historyDays } = retentionSettings(c.env);
  return c.html(
    <SettingsPage {...{ c, error }} section="general" docs="wire/admin">
      <Card title="Limits">
        <dl class="stats">
          <Stat
            label="Write limit"
            value={formatNumber(workspace.writeLimit)}
            note="messages in any 10 seconds; senders that exceed it must wait"
          />
          <Stat
            label="Event retention"
            value={`${formatNumber(hotDays + archiveDays)} days`}
            note={`${formatNumber(hotDays)} days in the database, then in the archive. Counts and scores are kept for ${formatNumber(historyDays)} days. Set HOT_DAYS, ARCHIVE_DAYS and HISTORY_DAYS to change this.`}
          />
        </dl>
        {isAdminIn(c) && (
          <form method="post" action={pathOf(workspace, "settings")} class="row settings-form" autocomplete="off">
            <NameAndLimit name={workspace.name} writeLimit={workspace.writeLimit} />
            <Field
              label="Time zone (of digests)"
              name="timezone"
              value={workspace.timezone}
              placeholder="Europe/Berlin"
              list="timezones"
            />
            <datalist id="timezones">
              {COMMON_TIME_ZONES.map((zone) => (
                <option value={zone} />
              ))}
            </datalist>
            <button type="submit">Save changes</button>
          </form>
        )}
      </Card>
    </SettingsPage>,
    error === undefined ? 200 : 400,
  );
}

async function privacyPage(c: AppContext, error?: string): Promise<Response> {
  const workspace = c.get("workspace");
  const [records] = await readRecords(c.env, [workspace]);
  return c.html(
    <SettingsPage {...{ c, error }} section="privacy" docs="wire/identity">
      <AgreementCard
        {...{ workspace }}
        isAdmin={isAdminIn(c)}
        canChange={isAdminIn(c) && mayPost(c.get("session"), "")}
        agreements={records?.agreements ?? []}
      />
      {hasScope(workspace, "identity") && mayPost(c.get("session"), pathOf(workspace, "settings", "erase")) && (
        <ErasureCard workspace={workspace} />
      )}
    </SettingsPage>,
    error === undefined ? 200 : 400,
  );
}
