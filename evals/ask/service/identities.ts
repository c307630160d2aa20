/** Attaches what only identity traits can tell: the names of companies and people. */
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { acceptAgreement } from "../../../src/db/identity/agreement.ts";
import { attachTraits } from "../../../src/db/identity/attach-traits.ts";
import type { World } from "../world/model.ts";

type Traits = Parameters<typeof attachTraits>[2];

export async function attachIdentities(
  { env, workspace }: { env: Env; workspace: WorkspaceRef },
  { now, accounts, users }: World,
): Promise<void> {
  const requests: Traits[] = [
    ...accounts.flatMap(({ id, company }) =>
      company === undefined ? [] : [{ accountId: id, userId: null, traits: { company } }],
    ),
    ...users.flatMap(({ id, name, email }) =>
      name === undefined || email === undefined ? [] : [{ accountId: null, userId: id, traits: { name, email } }],
    ),
  ];
  if (requests.length === 0) return;
  await acceptAgreement(env, workspace, { version: "1", acceptedBy: "evaluation", acceptedAt: now });
  for (const request of requests) {
    const { outcome } = await attachTraits(env, workspace, request, now);
    if (outcome !== "attached") throw new Error(`an identity was not attached: ${outcome}`);
  }
}
