/** The workspace's keys with their scopes, and the forms that create and revoke them. */
import { sort } from "d3-array";
import type { FC } from "hono/jsx";

import type { Scope } from "../../core/api-key.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import type { KeySummary } from "../../db/workspaces/api-keys.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Badge, Card, Empty, Moment } from "../components/elements.tsx";
import { Table } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { CreationId } from "../forms/admin-forms.tsx";
import { Field } from "../forms/fields.tsx";
import { pathOf } from "../paths.ts";

const SCOPE_TEXTS: Record<Scope | "all", string> = {
  ingest: "send events",
  identity: "attach names, erase users",
  ask: "ask questions",
  read: "read data, sign in to the console",
  inbox: "dismiss and snooze inbox items",
  notify: "send news to other services",
  all: "all scopes, including future ones",
};

const MAX_ROWS_BYTES = 45_000;

export const KeysCard: FC<{ workspace: OpenWorkspace; keys: KeySummary[] }> = ({ workspace, keys }) => (
  <Card
    title="API keys"
    lead="A key is shown only once, when you create it. We store only its hash and its last four characters."
  >
    <Table
      caption="API keys: active keys first, then revoked keys"
      class="keys narrow"
      columns={[
        { title: "Key", cell: (key) => <KeyCell apiKey={key} /> },
        { title: "Scopes", cell: ({ scopes }) => (scopes === null ? "all" : scopes.join(", ")) },
        {
          title: <span class="visually-hidden">Revoke</span>,
          class: "num",
          cell: (key) => <RevokeCell workspace={workspace} apiKey={key} />,
        },
      ]}
      rows={sort(
        keys,
        ({ revokedAt }) => revokedAt !== null,
        ({ createdAt }) => -createdAt,
      )}
      maxBytes={MAX_ROWS_BYTES}
      whereAll={`GET /admin/workspaces/${workspace.id} lists all of them.`}
      empty={<Empty title="No keys">Nothing can be sent to this workspace.</Empty>}
    />
    <NewKeyForm workspace={workspace} />
  </Card>
);

const nameOf = ({ name }: KeySummary): string => (name === null ? "Unnamed key" : truncate(name));

const KeyCell: FC<{ apiKey: KeySummary }> = ({ apiKey }) => (
  <>
    <span class={apiKey.name === null ? "muted" : undefined}>{nameOf(apiKey)}</span>{" "}
    <code class="note">…{apiKey.lastFour}</code>
    <span class="under">
      created <Moment at={apiKey.createdAt} />
    </span>
  </>
);

const RevokeCell: FC<{ workspace: OpenWorkspace; apiKey: KeySummary }> = ({ workspace, apiKey }) => {
  const { id, lastFour, revokedAt } = apiKey;
  if (revokedAt !== null) {
    return (
      <>
        <Badge tone="none">revoked</Badge> <Moment at={revokedAt} />
      </>
    );
  }
  const name = `${nameOf(apiKey)} (…${lastFour})`;
  return (
    <details class="confirm">
      <summary aria-label={`Revoke ${name}`}>Revoke</summary>
      <form class="stack" method="post" action={pathOf(workspace, "settings", "keys", id, "revoke")}>
        <p class="note">Apps using this key stop working immediately. This can’t be undone.</p>
        <button class="bad" type="submit" aria-label={`Revoke key ${name}`}>
          Revoke key
        </button>
      </form>
    </details>
  );
};

const NewKeyForm: FC<{ workspace: OpenWorkspace }> = ({ workspace }) => (
  <form method="post" action={pathOf(workspace, "settings", "keys")} class="column settings-form" autocomplete="off">
    <h3>Create key</h3>
    <CreationId />
    <Field label="Name" name="name" maxlength={200} placeholder="Website" />
    <fieldset>
      <legend>Scopes</legend>
      <ul class="choices">
        {typedKeys(SCOPE_TEXTS).map((scope) => (
          <li>
            <label>
              <input type="checkbox" name="scopes" value={scope} checked={scope === "ingest"} />
              <span>
                {scope} <span class="note">{SCOPE_TEXTS[scope]}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
    <button class="primary" type="submit">
      Create key
    </button>
  </form>
);
