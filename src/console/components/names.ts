/** The names that pages show for accounts and users. */
import { ERASED_NAME } from "../../core/erased-name.ts";
import type { Identity } from "../../services/identity.ts";

interface Named {
  externalId: string | null;
  identity: Identity | null;
}

/** The company name if it is known, or the sender's id. */
export const accountName = ({ externalId, identity }: Named): string => identity?.company ?? externalId ?? ERASED_NAME;

export const userName = ({ externalId, identity }: Named): string =>
  identity?.name ?? identity?.email ?? externalId ?? ERASED_NAME;
