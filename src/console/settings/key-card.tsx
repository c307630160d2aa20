/** One key with the forms that change it and replace it. */
import type { FC } from "hono/jsx";

import type { KeySummary } from "../../db/workspaces/api-keys.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Card, Snippet } from "../components/elements.tsx";
import { CreationId } from "../forms/admin-forms.tsx";
import { Field } from "../forms/fields.tsx";
import { type Entered, lastDayOf, textIn } from "../forms/key-forms.ts";
import { pathOf } from "../paths.ts";
import { LastDayField, nameOfKey, OriginsField, OwnLimitField } from "./key-fields.tsx";

export const KeyCard: FC<{ workspace: OpenWorkspace; apiKey: KeySummary; entered?: Entered }> = (props) => {
  const { workspace, apiKey } = props;
  const { id, lastFour, name, origins, text, writeLimit, expiresAt } = apiKey;
  const path = pathOf(workspace, "settings", "keys", id);
  const {
    entered = {
      name,
      origins: origins?.join("\n"),
      writeLimit: String(writeLimit ?? ""),
      lastDay: lastDayOf(expiresAt),
    },
  } = props;
  return (
    <Card id="key" title={`${nameOfKey(apiKey)} (…${lastFour})`}>
      {text !== null && <Snippet text={text} label="The key" />}
      <form method="post" action={path} class="column" autocomplete="off">
        <Field label="Name" name="name" maxlength={200} value={textIn(entered, "name")} />
        {origins !== null && <OriginsField value={textIn(entered, "origins")} required />}
        <OwnLimitField value={textIn(entered, "writeLimit")} />
        <input type="hidden" name="shownLastDay" value={lastDayOf(expiresAt)} />
        <LastDayField value={textIn(entered, "lastDay")} />
        <button class="primary" type="submit">
          Save changes
        </button>
      </form>
      <form method="post" action={`${path}/rotate`} class="column settings-form" autocomplete="off">
        <h3>Rotate</h3>
        <p class="note">
          Creates a key with the same settings{expiresAt !== null && " and as much time"}. Both work until the old one
          ends.
        </p>
        <CreationId />
        <Field
          label="Hours for which the old key still works"
          name="graceHours"
          type="number"
          min="0"
          max="720"
          value="24"
        />
        <button type="submit">Rotate key</button>
      </form>
    </Card>
  );
};
