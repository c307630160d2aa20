/** The workspace's keys: created, changed, rotated and revoked by administrators, who alone see them. */
import { Hono } from "hono";

import { isAdministrator } from "../../core/role.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { readRecords } from "../../db/workspaces/list-workspaces.ts";
import {
  changeKey,
  createKey,
  type GeneratedKey,
  revokeKey,
  rotateKey,
} from "../../services/workspaces/key-changes.ts";
import { NewKeyNotice } from "../components/elements.tsx";
import { type Entered, readKeyChange, readKeyForm, readRotation } from "../forms/key-forms.ts";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { requireAdmin } from "../session/guards.ts";
import { actorOf } from "../session/session.ts";
import { AgentsCard } from "./agents-card.tsx";
import { KeyCard } from "./key-card.tsx";
import { KeysCard } from "./keys-card.tsx";
import { redirectTo, SettingsPage } from "./settings-page.tsx";

const noSuchKey = (c: AppContext) => notFoundPage(c, "This key does not exist.");

export const keysPages = new Hono<AppEnv>()
  .get("/", operation("console_keys"), (c) => keysPage(c, {}))
  .post("/", operation("console_create_key"), requireAdmin, async (c) => {
    const entered = await readForm(c);
    const form = readKeyForm(entered);
    if (!form.ok) return keysPage(c, { ...form, entered });
    const created = await createKey(c.env, c.get("workspace"), form.value, Date.now(), actorOf(c.get("session")));
    return created === null ? redirectTo(c, "keys", "key_exists") : keysPage(c, { newKey: created });
  })
  .post("/:keyId", operation("console_change_key"), requireAdmin, async (c) => {
    const entered = await readForm(c);
    const form = readKeyChange(entered);
    if (!form.ok) return keysPage(c, { ...form, changed: entered });
    const { keyId } = c.req.param();
    const changed = await changeKey(c.env, c.get("workspace"), keyId, form.value, actorOf(c.get("session")));
    if (changed === "secret") return keysPage(c, { error: "Only a key that was created with origins has them." });
    return changed === null ? noSuchKey(c) : redirectTo(c, "keys", "key_changed");
  })
  .post("/:keyId/rotate", operation("console_rotate_key"), requireAdmin, async (c) => {
    const form = readRotation(await readForm(c));
    if (!form.ok) return keysPage(c, form);
    const { creationId, graceHours } = form.value;
    const workspace = c.get("workspace");
    const { keyId } = c.req.param();
    const actor = actorOf(c.get("session"));
    const created = await rotateKey(c.env, workspace, keyId, graceHours, Date.now(), actor, `key_${creationId}`);
    if (created === null) return noSuchKey(c);
    // The form was sent again, or somebody else was faster.
    return "successor" in created ? redirectTo(c, "keys", "key_exists") : keysPage(c, { newKey: created });
  })
  .post("/:keyId/revoke", operation("console_revoke_key"), requireAdmin, async (c) => {
    const { keyId } = c.req.param();
    const isRevoked = await revokeKey(c.env, c.get("workspace"), keyId, Date.now(), actorOf(c.get("session")));
    return isRevoked ? redirectTo(c, "keys", "revoked") : noSuchKey(c);
  });

interface KeysPageProps {
  error?: string;
  /** Is shown only now. */
  newKey?: GeneratedKey;
  /** What a refused form for a new key had. */
  entered?: Entered;
  /** What a refused form for an existing key had. */
  changed?: Entered;
}

async function keysPage(c: AppContext, { error, newKey, entered, changed }: KeysPageProps): Promise<Response> {
  const workspace = c.get("workspace");
  const [records] = isAdministrator(c.get("session")) ? await readRecords(c.env, [workspace]) : [];
  const shownId = c.req.param("keyId") ?? c.req.query("show");
  const shown = newKey === undefined ? records?.keys.find(({ id }) => id === shownId) : undefined;
  return c.html(
    <SettingsPage {...{ c, error }} section="keys" docs="wire/keys">
      {newKey !== undefined && (
        <NewKeyNotice
          value={newKey.key}
          signingSecret={newKey.signingSecret}
          isPublic={newKey.record.origins !== null}
        />
      )}
      {shown?.revokedAt === null && (
        <KeyCard workspace={workspace} apiKey={shown} {...(changed && { entered: changed })} />
      )}
      {records !== undefined && <KeysCard workspace={workspace} keys={records.keys} {...(entered && { entered })} />}
      <AgentsCard origin={new URL(c.req.url).origin} />
    </SettingsPage>,
    error === undefined ? 200 : 400,
  );
}
