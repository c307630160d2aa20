import type { FC } from "hono/jsx";

import type { OpenWorkspace, WorkspaceSettings } from "../../services/workspaces/workspaces.ts";
import { Card, FormError, Heading, Notice, Stat, Stats } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { NewKey } from "../components/new-key.tsx";
import { NameAndLimit } from "../forms/name-and-limit.tsx";
import { pathOf } from "../session/context.ts";
import { AgreementCard } from "./agreement-card.tsx";
import { type Flash, FLASH_MESSAGES, isTrue } from "./flash-messages.ts";
import { KeysCard } from "./keys-card.tsx";
import { RunsCard } from "./runs-card.tsx";

/** The result of the user's last action. */
export interface ActionResult {
  done?: Flash | undefined;
  /** The id of the key that the action changed. */
  key?: string | undefined;
  error?: string;
  /** A new key, which is shown only now. */
  newKey?: string;
}

interface SettingsViewProps {
  workspace: OpenWorkspace;
  /** Only administrators see keys and forms. */
  isAdmin: boolean;
  settings: WorkspaceSettings;
  retentionDays: number;
  result: ActionResult;
  now: number;
}

export const SettingsView: FC<SettingsViewProps> = ({ workspace, isAdmin, settings, retentionDays, result, now }) => (
  <>
    <Heading title="Settings" lead={workspace.name} />
    {isAdmin && result.done !== undefined && isTrue(result.done, result.key, settings) && (
      <Notice tone={FLASH_MESSAGES[result.done].tone}>{FLASH_MESSAGES[result.done].text}</Notice>
    )}
    <FormError error={result.error} />
    {result.newKey !== undefined && <NewKey value={result.newKey} label="The new key" />}
    {!isAdmin && (
      <Notice tone="none">You signed in with a key. Sign in with the admin token to manage keys and settings.</Notice>
    )}
    <Card title="Limits">
      <Stats>
        <Stat
          label="Write limit"
          value={formatNumber(workspace.writeLimit)}
          note="messages in any 10 seconds; senders have to wait beyond it"
        />
        <Stat
          label="Event retention"
          value={`${formatNumber(retentionDays)} days`}
          note="scores and history are kept longer; set EVENT_RETENTION_DAYS to change it"
        />
      </Stats>
      {isAdmin && (
        <form method="post" action={pathOf(workspace, "settings")} class="row settings-form" autocomplete="off">
          <NameAndLimit name={workspace.name} writeLimit={workspace.writeLimit} />
          <button type="submit">Save changes</button>
        </form>
      )}
    </Card>
    {isAdmin && <KeysCard workspace={workspace} keys={settings.keys} more={settings.moreKeys} now={now} />}
    <AgreementCard workspace={workspace} agreements={settings.agreements} isAdmin={isAdmin} now={now} />
    <RunsCard workspace={workspace} runs={settings.runs} isAdmin={isAdmin} now={now} />
  </>
);
