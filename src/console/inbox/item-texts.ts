import { presentItem } from "../../edge/present/item.ts";
import type { StoredItem } from "../../services/inbox.ts";
import { truncate } from "../components/truncate.ts";

/** Writes the sentences of an item with truncated names, because each name appears several times. */
export function itemTexts(item: StoredItem) {
  const { account, company, user, feature } = item;
  const externalId = account?.externalId ?? null;
  const { title, why, suggestedAction, closesWhen } = presentItem({
    ...item,
    account: account === null || externalId === null ? account : { ...account, externalId: truncate(externalId) },
    company: company === null ? null : truncate(company),
    user: user === null ? null : { ...user, externalId: truncate(user.externalId) },
    feature: feature === null ? null : truncate(feature),
  });
  return { title, why, suggestedAction, closesWhen };
}
