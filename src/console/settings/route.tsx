/** The workspace's settings. A key's session sees some of them; only administrators change them. */
import { Hono } from "hono";
import * as z from "zod";

import { retentionSettings } from "../../config.ts";
import { describeFault } from "../../core/describe-fault.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { isUnavailable } from "../../edge/errors.ts";
import { operation } from "../../edge/request-log.ts";
import { isoDate } from "../../services/present/iso.ts";
import { acceptance } from "../../edge/schemas/admin-requests.ts";
import { daysQuery } from "../../edge/schemas/days.ts";
import { exportDays } from "../../services/archive/read-archive.ts";
import { audited } from "../../services/audited.ts";
import { acceptAgreement, withdrawAgreement } from "../../services/agreement.ts";
import { cancelMove, listMoveTargets, startMove } from "../../services/moves/move-workspace.ts";
import { listRuns } from "../../db/recompute/runs.ts";
import { recomputeWorkspace } from "../../services/recompute/recompute-workspaces.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { changeWorkspace, createKey, revokeKey } from "../../services/workspaces/workspace-changes.ts";
import { readStorage } from "../../db/archive/storage-sql.ts";
import { readRecords } from "../../db/workspaces/list-workspaces.ts";
import { formErrorOf, keyForm, NameAndLimit, settingsForm } from "../forms/admin-forms.tsx";
import { Field } from "../forms/fields.tsx";
import { readForm } from "../forms/read-form.ts";
import { Card, FormError, Heading, NewKeyNotice, Notice, Stat, type Tone } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";
import { requireAdmin } from "../session/guards.ts";
import { actorOf } from "../session/session.ts";
import { AgentsCard } from "./agents-card.tsx";
import { AgreementCard } from "./agreement-card.tsx";
import { KeysCard } from "./keys-card.tsx";
import { RunsCard } from "./runs-card.tsx";
import { DatabaseCard, StorageCard } from "./storage-card.tsx";

/** Messages about the action that led to the page. The redirect names the message in the page's address. */
const FLASH_MESSAGES = {
  changed: { tone: "good", text: "Workspace updated. A new limit applies from the next message." },
  key_exists: {
    tone: "watch",
    text: "This key already exists. It was shown once: if you didn’t copy it, create another.",
  },
  revoked: { tone: "good", text: "Key revoked. Writes with it are refused at once, and reads within 30 seconds." },
  accepted: { tone: "good", text: "Agreement accepted. You can now attach identity traits." },
  withdrawn: { tone: "good", text: "Agreement withdrawn. All identity traits of the workspace were erased." },
  recomputed: { tone: "good", text: "Recompute finished. See its results below." },
  running: { tone: "watch", text: "A recompute is already running. Check again in a moment." },
  failed: { tone: "bad", text: "Recompute failed. See the error below. The next run continues where it stopped." },
  moving: { tone: "good", text: "The move has started. Reload the page to see its progress." },
  move_cancelled: { tone: "good", text: "Cancelled. The copy is deleted within minutes." },
} satisfies Record<string, { tone: Tone; text: string }>;

type Flash = keyof typeof FLASH_MESSAGES;

const flashQuery = z.enum(typedKeys(FLASH_MESSAGES)).optional().catch(undefined);

export const settingsPages = new Hono<AppEnv>()
  .get("/", operation("console_settings"), (c) => settingsPage(c, { done: flashQuery.parse(c.req.query("done")) }))
  .post("/", operation("console_change_workspace"), requireAdmin, async (c) => {
    const form = settingsForm.safeParse(await readForm(c));
    if (!form.success) return settingsPage(c, { error: formErrorOf(form.error) });
    await changeWorkspace(c.env, c.get("workspace"), form.data, Date.now(), actorOf(c.get("session")));
    return redirectTo(c, "changed");
  })
  .get("/export", operation("console_export"), async (c) => {
    const days = daysQuery.safeParse(c.req.query());
    if (!days.success) return settingsPage(c, { error: "“From” must be a date on or before “To”." });
    const { from, to } = days.data;
    const lines = await exportDays(c.env, c.get("workspace"), days.data, Date.now());
    if (lines === null) return settingsPage(c, { error: TOO_LARGE });
    const name = `messages-${isoDate(from)}-${isoDate(to)}.ndjson`;
    c.header("Content-Disposition", `attachment; filename="${name}"`);
    return c.body(lines, 200, { "Content-Type": "application/x-ndjson" });
  })
  .post("/keys", operation("console_create_key"), requireAdmin, async (c) => {
    const form = keyForm.safeParse(await readForm(c));
    if (!form.success) return settingsPage(c, { error: formErrorOf(form.error) });
    const { creationId, ...fields } = form.data;
    const id = `key_${creationId}`;
    const created = await createKey(
      c.env,
      c.get("workspace"),
      { ...fields, id },
      Date.now(),
      actorOf(c.get("session")),
    );
    return created === null ? redirectTo(c, "key_exists") : settingsPage(c, { newKey: created.key });
  })
  .post("/keys/:keyId/revoke", operation("console_revoke_key"), requireAdmin, async (c) => {
    const isRevoked = await revokeKey(
      c.env,
      c.get("workspace"),
      c.req.param("keyId"),
      Date.now(),
      actorOf(c.get("session")),
    );
    return isRevoked ? redirectTo(c, "revoked") : notFoundPage(c, "This key does not exist.");
  })
  .post("/agreement", operation("console_accept_agreement"), requireAdmin, async (c) => {
    const form = acceptance.safeParse(await readForm(c));
    if (!form.success) return settingsPage(c, { error: formErrorOf(form.error) });
    const accepted = await acceptAgreement(c.env, c.get("workspace"), form.data, Date.now(), actorOf(c.get("session")));
    return accepted === null ? notFoundPage(c) : redirectTo(c, "accepted");
  })
  .post("/agreement/withdraw", operation("console_withdraw_agreement"), requireAdmin, async (c) => {
    await withdrawAgreement(c.env, c.get("workspace"), Date.now(), actorOf(c.get("session")));
    return redirectTo(c, "withdrawn");
  })
  .post("/move", operation("console_move_workspace"), requireAdmin, async (c) => {
    const { database } = await readForm(c);
    const outcome = await startMove(c.env, c.get("workspace"), String(database), Date.now(), actorOf(c.get("session")));
    return outcome === "started" ? redirectTo(c, "moving") : settingsPage(c, { error: MOVE_ERRORS[outcome] });
  })
  .post("/move/cancel", operation("console_cancel_move"), requireAdmin, async (c) => {
    const outcome = await cancelMove(c.env, c.get("workspace"), actorOf(c.get("session")));
    return outcome === "cancelled" ? redirectTo(c, "move_cancelled") : settingsPage(c, { error: MOVE_ERRORS[outcome] });
  })
  .post("/recompute", operation("console_recompute"), requireAdmin, async (c) => redirectTo(c, await runRecompute(c)));

const SHOWN_RUNS = 10;

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

const TOO_LARGE = "These days have too many messages for a download. Select fewer days, or use `npm run export`.";

const MOVE_ERRORS = {
  not_open: "This database takes no workspaces. Select an open one.",
  same_database: "The workspace is already in this database.",
  move_running: "The workspace is being moved or restored, and that can’t be changed now.",
  no_move: "The workspace is not being moved or restored.",
} as const;

interface ActionResult {
  done?: Flash | undefined;
  error?: string;
  /** A new key, which is shown only now. */
  newKey?: string;
}

/** Only administrators see keys and forms. */
async function settingsPage(c: AppContext, { done, error, newKey }: ActionResult): Promise<Response> {
  const workspace = c.get("workspace");
  const isAdmin = c.get("session").by === "admin";
  const moveTargets = isAdmin ? listMoveTargets(c.env, workspace) : [];
  const { hotDays, archiveDays, historyDays } = retentionSettings(c.env);
  const [[records], storage, runs] = await Promise.all([
    readRecords(c.env, [workspace]),
    readStorage(c.env, workspace, Date.now()),
    listRuns(c.env, workspace, SHOWN_RUNS),
  ]);
  const { keys = [], agreements = [], move = null } = records ?? {};
  // A link on another site can't claim that something was done. Browsers send no such header to a host without TLS.
  const isOwn = (c.req.header("Sec-Fetch-Site") ?? "same-origin") === "same-origin";
  const flash = isAdmin && done !== undefined && isOwn ? FLASH_MESSAGES[done] : undefined;
  return c.html(
    <Page c={c} title="Settings" tab="settings">
      <Heading title="Settings" lead={workspace.name} />
      {flash !== undefined && <Notice tone={flash.tone}>{flash.text}</Notice>}
      <FormError error={error} />
      {newKey !== undefined && <NewKeyNotice value={newKey} />}
      {!isAdmin && (
        <Notice tone="none">You signed in with a key. Sign in with the admin token to manage keys and settings.</Notice>
      )}
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
        {isAdmin && (
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
      <StorageCard {...{ workspace, storage }} />
      {hasScope(workspace, "notify") && (
        <Card title="Destinations" lead="Sends news of accounts to Slack, Microsoft Teams or a webhook.">
          <a class="button" href={pathOf(workspace, "settings", "destinations")}>
            Manage destinations
          </a>
        </Card>
      )}
      {isAdmin && <KeysCard {...{ workspace, keys }} />}
      <AgentsCard origin={new URL(c.req.url).origin} />
      {moveTargets.length > 0 && <DatabaseCard {...{ workspace, moveTargets, move }} />}
      <AgreementCard {...{ workspace, isAdmin, agreements }} />
      <RunsCard {...{ workspace, isAdmin, runs }} />
    </Page>,
    error === undefined ? 200 : 400,
  );
}

/** The page shows the error of a run that failed. */
async function runRecompute(c: AppContext): Promise<Flash> {
  const workspace = c.get("workspace");
  const entry = { workspace: workspace.id, actor: actorOf(c.get("session")), action: "recompute_requested" } as const;
  try {
    const { outcome } = await audited(c.env, entry, () =>
      recomputeWorkspace(c.env, workspace, { now: Date.now(), trigger: "admin" }),
    );
    return outcome === "done" ? "recomputed" : "running";
  } catch (error) {
    if (isUnavailable(error)) throw error;
    c.get("logFields").fault = describeFault(error);
    return "failed";
  }
}

const redirectTo = (c: AppContext, done: Flash): Response =>
  c.redirect(`${pathOf(c.get("workspace"), "settings")}?done=${done}`, 303);
