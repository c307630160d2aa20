/** The form that erases a user: docs/wire/erasure.md §6.2. */
import type { FC } from "hono/jsx";

import { Card } from "../components/elements.tsx";
import { Field } from "../forms/fields.tsx";
import { pathOf } from "../paths.ts";

export const ErasureCard: FC<{ workspace: { id: string } }> = ({ workspace }) => (
  <Card
    title="Erase a user"
    lead="For a person who asks for it. Erases the user’s id, name, e-mail address, traits and event properties. Counts and scores stay, without the id."
  >
    <form class="row" method="post" action={pathOf(workspace, "settings", "erase")} autocomplete="off">
      <Field label="User id" name="userId" required maxlength={256} placeholder="The sender’s id, or usr_…" grow />
      <details class="confirm">
        <summary>Erase</summary>
        <div class="stack">
          <p class="note">This can’t be undone. Backups keep the user for up to 35 days, for the operator only.</p>
          <button class="bad" type="submit">
            Erase user
          </button>
        </div>
      </details>
    </form>
  </Card>
);
