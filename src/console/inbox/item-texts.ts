import { presentItem } from "../../edge/present/item.ts";
import type { Identity } from "../../services/identity.ts";
import type { StoredItem } from "../../services/inbox.ts";
import { accountName } from "../components/names.ts";
import { truncate } from "../components/truncate.ts";

/** Writes the sentences of an item with display names, truncated because each name appears several times. */
export function itemTexts(stored: StoredItem & { identity: Identity | null }) {
  const { account, user, feature, identity } = stored;
  const { title, why, suggestedAction, closesWhen } = presentItem({
    ...stored,
    account: account === null ? null : { ...account, externalId: truncate(accountName({ ...account, identity })) },
    user: user === null ? null : { ...user, externalId: truncate(user.externalId) },
    feature: feature === null ? null : truncate(feature),
  });
  return { title, why, suggestedAction, closesWhen };
}
