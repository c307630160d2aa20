import { iso } from "../../edge/present/iso.ts";
import type { UserDetails } from "../../services/users.ts";
import type { userDetails } from "../schemas/reads.ts";
import type { ResponseBody } from "../schemas/registry.ts";

export function presentUser(user: UserDetails): ResponseBody<typeof userDetails> {
  const { id, externalId, identity, account, memberships, traits, createdAt } = user;
  return {
    id,
    externalId,
    ...(identity === null ? {} : { identity }),
    account,
    memberships: memberships.map(({ account: group, groupedAt }) => ({ account: group, groupedAt: iso(groupedAt) })),
    traits,
    createdAt: iso(createdAt),
  };
}
