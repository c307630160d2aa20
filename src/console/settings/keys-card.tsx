/** The workspace's keys with their settings, and the forms that create and revoke them. */
import { sort } from "d3-array";
import type { FC } from "hono/jsx";

import type { Scope } from "../../core/api-key.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import type { KeySummary } from "../../db/workspaces/api-keys.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { isoDate } from "../../services/present/iso.ts";
import { Badge, Card, Empty, Moment } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { Table } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { CreationId } from "../forms/admin-forms.tsx";
import { Field, Select } from "../forms/fields.tsx";
import { type Entered, textIn } from "../forms/key-forms.ts";
import { pathOf } from "../paths.ts";
import { LastDayField, nameOfKey, OriginsField, OwnLimitField } from "./key-fields.tsx";

const SCOPE_TEXTS: Record<Scope | "all", string> = {
  ingest: "send events",
  identity: "attach names, erase users",
  ask: "ask questions",
  read: "read data, sign in to the console",
  inbox: "dismiss and snooze inbox items",
  notify: "send news to other services",
  all: "all scopes, including future ones",
};

const MAX_ROWS_BYTES = 50_000;
const MAX_ORIGINS_CHARACTERS = 120;

export const KeysCard: FC<{ workspace: OpenWorkspace; keys: KeySummary[]; entered?: Entered }> = ({
  workspace,
  keys,
  entered,
}) => (
  <Card
    title="API keys"
    lead="A key is shown only once, when you create it, unless it is for web pages. We store only its hash and its last four characters."
  >
    <Table
      caption="API keys: active keys first, then revoked keys"
      class="keys narrow"
      columns={[
        { title: "Key", cell: (key) => <KeyCell apiKey={key} /> },
        { title: "Scopes", cell: (key) => <ScopesCell apiKey={key} /> },
        {
          title: <span class="visually-hidden">Actions</span>,
          class: "num",
          cell: (key) => <ActionsCell workspace={workspace} apiKey={key} />,
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
    <NewKeyForm {...{ workspace, entered }} />
  </Card>
);

const KeyCell: FC<{ apiKey: KeySummary }> = ({ apiKey }) => {
  const { name, text, lastFour, createdAt, lastUsedDay, expiresAt } = apiKey;
  return (
    <>
      <span class={name === null ? "muted" : undefined}>{nameOfKey(apiKey)}</span>{" "}
      <code class="note">{text ?? `…${lastFour}`}</code>
      <span class="under">
        created <Moment at={createdAt} />, {lastUsedDay === null ? "not used yet" : `used on ${isoDate(lastUsedDay)}`}
        {expiresAt !== null && (
          <>
            , {expiresAt > Date.now() ? "ends" : "ended"} <Moment at={expiresAt} />
          </>
        )}
      </span>
    </>
  );
};

const ScopesCell: FC<{ apiKey: KeySummary }> = ({
  apiKey: { scopes, origins, sealed, segmentBatches, writeLimit },
}) => (
  <>
    {scopes === null ? "all" : scopes.join(", ")}
    {origins !== null && <span class="under">from {truncate(origins.join(", "), MAX_ORIGINS_CHARACTERS)}</span>}
    {sealed !== null && <span class="under">{segmentBatches ? "signed, also as Segment’s batches" : "signed"}</span>}
    {writeLimit !== null && <span class="under">{formatNumber(writeLimit)} messages per 10 s</span>}
  </>
);

const ActionsCell: FC<{ workspace: OpenWorkspace; apiKey: KeySummary }> = ({ workspace, apiKey }) => {
  const { id, lastFour, revokedAt } = apiKey;
  if (revokedAt !== null) {
    return (
      <>
        <Badge tone="none">revoked</Badge> <Moment at={revokedAt} />
      </>
    );
  }
  const name = `${nameOfKey(apiKey)} (…${lastFour})`;
  return (
    <>
      <a href={`${pathOf(workspace, "settings", "keys")}?show=${id}#key`} aria-label={`Change or rotate ${name}`}>
        Change or rotate
      </a>
      <details class="confirm">
        <summary aria-label={`Revoke ${name}`}>Revoke</summary>
        <form class="stack" method="post" action={pathOf(workspace, "settings", "keys", id, "revoke")}>
          <p class="note">Apps using this key stop working immediately. This can’t be undone.</p>
          <button class="bad" type="submit" aria-label={`Revoke key ${name}`}>
            Revoke key
          </button>
        </form>
      </details>
    </>
  );
};

const SIGNATURES = [
  ["", "no"],
  ["yes", "yes, with a secret that you get"],
  ["segment", "yes, by Segment: one signature a batch"],
] as const;

/** @param entered what a refused form had */
const NewKeyForm: FC<{ workspace: OpenWorkspace; entered: Entered | undefined }> = ({
  workspace,
  entered = { scopes: "ingest" },
}) => (
  <form method="post" action={pathOf(workspace, "settings", "keys")} class="column settings-form" autocomplete="off">
    <h3>Create key</h3>
    <CreationId />
    <Field label="Name" name="name" maxlength={200} placeholder="Website" value={textIn(entered, "name")} />
    <fieldset>
      <legend>Scopes</legend>
      <ul class="choices">
        {typedKeys(SCOPE_TEXTS).map((scope) => (
          <li>
            <label>
              <input type="checkbox" name="scopes" value={scope} checked={[entered["scopes"]].flat().includes(scope)} />
              <span>
                {scope} <span class="note">{SCOPE_TEXTS[scope]}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
    <LastDayField value={textIn(entered, "lastDay")} />
    <OwnLimitField value={textIn(entered, "writeLimit")} />
    <details open={textIn(entered, "origins") !== ""}>
      <summary>For web pages</summary>
      <OriginsField value={textIn(entered, "origins")} />
    </details>
    <Select label="Requests are signed" name="signed" options={SIGNATURES} selected={textIn(entered, "signed")} />
    <button class="primary" type="submit">
      Create key
    </button>
  </form>
);
