/** The workspace's keys with their scopes, and the forms that create and revoke them. */
import type { FC } from "hono/jsx";

import { type Scope, SCOPES } from "../../core/api-key.ts";
import type { KeySummary } from "../../services/workspaces/api-keys.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { Badge, Card, Empty, Moment, Table } from "../components/elements.tsx";
import { truncate } from "../components/truncate.ts";
import { CreationId } from "../forms/creation-id.tsx";
import { pathOf } from "../session/context.ts";

const SCOPE_TEXTS: Record<Scope, string> = {
  ingest: "send events",
  identity: "attach names, erase users",
  ask: "ask questions",
  read: "read data, sign in to the console",
  inbox: "dismiss and snooze inbox items",
};

interface KeysCardProps {
  workspace: OpenWorkspace;
  keys: KeySummary[];
  /** Whether the workspace has more keys than the page shows. */
  more: boolean;
  now: number;
}

export const KeysCard: FC<KeysCardProps> = ({ workspace, keys, more, now }) => (
  <Card
    title="API keys"
    lead="A key is shown only once, when you create it. We store only its hash and its last four characters."
  >
    {keys.length === 0 ? (
      <Empty title="No keys">
        <p>Nothing can be sent to this workspace.</p>
      </Empty>
    ) : (
      <Table
        caption="API keys: active keys first, then revoked keys"
        class="keys"
        columns={["Key", "Scopes", { title: <span class="visually-hidden">Revoke</span>, class: "num" }]}
      >
        {keys.map((key) => (
          <KeyRow workspace={workspace} apiKey={key} now={now} />
        ))}
      </Table>
    )}
    {more && (
      <p class="note">
        Only some keys are shown. <code>GET /admin/workspaces/{workspace.id}</code> lists all of them.
      </p>
    )}
    <NewKeyForm workspace={workspace} />
  </Card>
);

const KeyRow: FC<{ workspace: OpenWorkspace; apiKey: KeySummary; now: number }> = ({ workspace, apiKey, now }) => {
  const { id, lastFour, scopes, createdAt, revokedAt } = apiKey;
  const name = apiKey.name === null ? "Unnamed key" : truncate(apiKey.name);
  return (
    <tr>
      <th scope="row">
        <span class={apiKey.name === null ? "muted" : undefined}>{name}</span>
        <code class="last-four">…{lastFour}</code>
        <span class="under">
          created <Moment at={createdAt} now={now} />
        </span>
      </th>
      <td>{scopes === null ? "all" : scopes.join(", ")}</td>
      <td class="num">
        {revokedAt === null ? (
          <details class="confirm">
            <summary aria-label={`Revoke ${name} (…${lastFour})`}>Revoke</summary>
            <form method="post" action={pathOf(workspace, "settings", "keys", id, "revoke")}>
              <p class="note">Apps using this key stop working immediately. This can’t be undone.</p>
              <button class="danger" type="submit" aria-label={`Revoke key ${name} (…${lastFour})`}>
                Revoke key
              </button>
            </form>
          </details>
        ) : (
          <>
            <Badge tone="none">revoked</Badge> <Moment at={revokedAt} now={now} />
          </>
        )}
      </td>
    </tr>
  );
};

const NewKeyForm: FC<{ workspace: OpenWorkspace }> = ({ workspace }) => (
  <form method="post" action={pathOf(workspace, "settings", "keys")} class="settings-form" autocomplete="off">
    <h3>Create key</h3>
    <CreationId />
    <div class="key-name">
      <label for="key-name">Name</label>
      <input id="key-name" name="name" maxlength={200} placeholder="Website" />
    </div>
    <fieldset>
      <legend>Scopes</legend>
      <ul class="choices">
        {SCOPES.map((scope) => (
          <ScopeChoice value={scope} text={SCOPE_TEXTS[scope]} checked={scope === "ingest"} />
        ))}
        <ScopeChoice value="all" text="all scopes, including future ones" checked={false} />
      </ul>
    </fieldset>
    <button class="primary" type="submit">
      Create key
    </button>
  </form>
);

const ScopeChoice: FC<{ value: string; text: string; checked: boolean }> = ({ value, text, checked }) => (
  <li>
    <label>
      <input type="checkbox" name="scopes" value={value} checked={checked} />
      <span>
        {value} <span class="note">{text}</span>
      </span>
    </label>
  </li>
);
