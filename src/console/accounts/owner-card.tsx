/** Who looks after an account, and the form that changes it. */
import type { FC } from "hono/jsx";

import type { AccountDetails } from "../../db/accounts/account-details.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { Card, FormError } from "../components/elements.tsx";
import { OwnerField } from "../forms/fields.tsx";
import { pathOf } from "../paths.ts";

export interface OwnerCardProps {
  workspace: OpenWorkspace;
  account: Pick<AccountDetails, "id" | "owner" | "owners">;
  /** What was entered, and what is wrong with it. */
  refused?: { entered: string; error: string };
}

export const OwnerCard: FC<OwnerCardProps> = ({ workspace, account: { id, owner, owners }, refused }) => (
  <Card title="Owner">
    <FormError error={refused?.error} />
    {owner === null ? <p class="muted">Nobody looks after this account.</p> : <p>{owner}</p>}
    {hasScope(workspace, "inbox") && (
      <form class="row" method="post" action={pathOf(workspace, "accounts", id, "owner")} autocomplete="off">
        <OwnerField owners={owners} value={refused?.entered ?? owner ?? ""} placeholder="nobody" />
        <button type="submit">Save owner</button>
      </form>
    )}
  </Card>
);
