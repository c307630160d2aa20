/** Who looks after an account, and the form that changes it. */
import type { FC } from "hono/jsx";

import type { AccountDetails } from "../../db/accounts/account-details.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { IN_PLACE } from "../charts/range.tsx";
import { FormError, Moment } from "../components/elements.tsx";
import { nameOfActor } from "../components/format.ts";
import { AssignToMe, MAX_OWNER_CHARACTERS } from "../forms/fields.tsx";
import { type AccountView, viewPath } from "./account-view.ts";

export interface OwnerFormProps {
  workspace: OpenWorkspace;
  account: Pick<AccountDetails, "id" | "owner" | "owners" | "activities">;
  view: AccountView;
  /** What was entered, and what is wrong with it. */
  refused?: { entered: string; error: string };
}

export const OwnerForm: FC<OwnerFormProps> = ({ workspace, account, view, refused }) => {
  const { id, owner, owners } = account;
  const saved = account.activities.find(({ action }) => action === "owner");
  return (
    <>
      <FormError error={refused?.error} />
      <span class={hasScope(workspace, "inbox") ? "print-only" : undefined}>{owner ?? "nobody"}</span>
      {hasScope(workspace, "inbox") && (
        <form
          class="cluster no-print"
          method="post"
          action={viewPath(workspace, id, view, "owner")}
          autocomplete="off"
          {...IN_PLACE}
        >
          <input
            id="owner"
            name="owner"
            aria-label="Owner"
            maxlength={MAX_OWNER_CHARACTERS}
            list="owners"
            value={refused?.entered ?? owner ?? ""}
            title={owner ?? undefined}
            placeholder="nobody"
          />
          <datalist id="owners">
            {owners.map((one) => (
              <option value={one} />
            ))}
          </datalist>
          <button type="submit" aria-label="Save owner">
            Save
          </button>
          <AssignToMe user={workspace.user} {...{ owner }} />
        </form>
      )}
      {saved !== undefined && (
        <span class="note no-print">
          {nameOfActor(saved.by)} saved it <Moment at={saved.at} />
        </span>
      )}
    </>
  );
};
