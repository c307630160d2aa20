import type { FC } from "hono/jsx";

import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import type { WorkspaceSettings } from "../../services/workspaces/workspaces.ts";
import { amount, Card, Heading, Notice, Stat, Stats } from "../components/elements.tsx";
import { NewKey } from "../components/new-key.tsx";
import { AgreementCard } from "./agreement-card.tsx";
import { type Deed, isSo, WORDS } from "./flash-messages.ts";
import { KeysCard } from "./keys-card.tsx";
import { RunsCard } from "./runs-card.tsx";
import { WorkspaceForm } from "./workspace-form.tsx";

/** What somebody has just done, or tried to do. */
export interface SettingsNote {
  done?: Deed | undefined;
  /** The id of the key that it was done to. */
  key?: string | undefined;
  /** What is wrong with a form. */
  fault?: string;
  /** A key that was made: shown this once. */
  newKey?: string;
}

interface SettingsViewProps {
  workspace: OpenWorkspace;
  /** Whether the session was opened by the admin token: keys and all that changes something are for it alone. */
  isAdmin: boolean;
  settings: WorkspaceSettings;
  retentionDays: number;
  note: SettingsNote;
  now: number;
}

export const SettingsView: FC<SettingsViewProps> = ({ workspace, isAdmin, settings, retentionDays, note, now }) => (
  <>
    <Heading title="Settings" lead={workspace.name} />
    {isAdmin && note.done !== undefined && isSo(note.done, note.key, settings) && (
      <Notice tone={WORDS[note.done].tone}>{WORDS[note.done].text}</Notice>
    )}
    {note.fault !== undefined && (
      <Notice tone="bad" role="alert">
        {note.fault}
      </Notice>
    )}
    {note.newKey !== undefined && <NewKey value={note.newKey} label="The new key" />}
    {!isAdmin && (
      <Notice tone="none">
        Keys, and all that changes something here, need a sign-in with the admin token. This session was opened by a
        key.
      </Notice>
    )}
    <Card title="Limits">
      <Stats>
        <Stat
          label="Write limit"
          value={amount(workspace.writeLimit)}
          note="messages in any 10 seconds; beyond it senders are told to wait"
        />
        <Stat
          label="Events are kept for"
          value={`${amount(retentionDays)} days`}
          note="what was concluded from them stays; the deployment sets it as EVENT_RETENTION_DAYS"
        />
      </Stats>
      {isAdmin && <WorkspaceForm workspace={workspace} />}
    </Card>
    {isAdmin && <KeysCard workspace={workspace} keys={settings.keys} more={settings.moreKeys} now={now} />}
    <AgreementCard workspace={workspace} agreements={settings.agreements} isAdmin={isAdmin} now={now} />
    <RunsCard workspace={workspace} runs={settings.runs} isAdmin={isAdmin} now={now} />
  </>
);
