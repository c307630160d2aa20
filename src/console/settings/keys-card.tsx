/** The workspace's keys: what each opens, and how to make and revoke them. */
import type { FC } from "hono/jsx";

import { type Scope, SCOPES } from "../../core/api-key.ts";
import type { KeySummary } from "../../services/workspaces/api-keys.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { pathOf } from "../session/context.ts";
import { Badge, Card, Empty, Moment } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";

const MEANINGS: Record<Scope, string> = {
  ingest: "send events",
  identity: "attach names, erase people",
  ask: "ask questions",
  read: "read, and sign in here",
  inbox: "dismiss and snooze",
};

interface KeysCardProps {
  workspace: OpenWorkspace;
  keys: KeySummary[];
  /** Whether there are more than those. */
  more: boolean;
  now: number;
}

export const KeysCard: FC<KeysCardProps> = ({ workspace, keys, more, now }) => (
  <Card title="API keys" lead="A key is shown once, when it is made. Only a hash of it is stored.">
    {keys.length === 0 ? (
      <Empty title="No key">
        <p>Nobody can send anything to this workspace.</p>
      </Empty>
    ) : (
      <div class="table-scroll keys" role="region" aria-label="API keys" tabindex={0}>
        <table>
          <caption class="visually-hidden">API keys: those that stand first, then revoked ones</caption>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Opens</th>
              <th scope="col">
                <span class="visually-hidden">Revoke</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <KeyRow workspace={workspace} apiKey={key} now={now} />
            ))}
          </tbody>
        </table>
      </div>
    )}
    {more && (
      <p class="note">
        There are more. <code>GET /admin/workspaces/{workspace.id}</code> lists all of them.
      </p>
    )}
    <NewKeyForm workspace={workspace} />
  </Card>
);

const KeyRow: FC<{ workspace: OpenWorkspace; apiKey: KeySummary; now: number }> = ({ workspace, apiKey, now }) => {
  const { id, lastFour, scopes, createdAt, revokedAt } = apiKey;
  const name = apiKey.name === null ? null : shortened(apiKey.name);
  const called = name === null ? `the key that ends in ${lastFour}` : `${name} (…${lastFour})`;
  return (
    <tr>
      <th scope="row">
        {name ?? <span class="muted">without a name</span>}
        <code class="last-four">…{lastFour}</code>
        <span class="note made">
          made <Moment at={createdAt} now={now} />
        </span>
      </th>
      <td>{scopes === null ? "everything" : scopes.join(", ")}</td>
      <td class="num">
        {revokedAt === null ? (
          <details class="confirm">
            <summary aria-label={`Revoke: ${called}`}>Revoke</summary>
            <form method="post" action={pathOf(workspace, "settings", "keys", id, "revoke")}>
              <p class="note">What still uses it is refused at once. This can’t be undone.</p>
              <button class="danger" type="submit" aria-label={`Revoke it: ${called}`}>
                Revoke it
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
    <h3>Make a key</h3>
    <div class="key-name">
      <label for="key-name">Name</label>
      <input id="key-name" name="name" maxlength={200} placeholder="Website" />
    </div>
    <fieldset>
      <legend>Opens</legend>
      <ul class="choices">
        {SCOPES.map((scope) => (
          <li>
            <label>
              <input type="checkbox" name="scopes" value={scope} checked={scope === "ingest"} />
              <span>
                {scope} <span class="note">{MEANINGS[scope]}</span>
              </span>
            </label>
          </li>
        ))}
        <li>
          <label>
            <input type="checkbox" name="scopes" value="all" />
            <span>
              everything <span class="note">what may come later, too</span>
            </span>
          </label>
        </li>
      </ul>
    </fieldset>
    <button class="primary" type="submit">
      Make the key
    </button>
  </form>
);
