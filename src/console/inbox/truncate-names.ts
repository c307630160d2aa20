import type { StoredItem } from "../../services/inbox.ts";
import { shortened } from "../components/truncate.ts";

/** An item with the names in it as long as a list has room for: its sentences and buttons say them several times. */
export function shortlyNamed<Item extends StoredItem>(item: Item): Item {
  const { account, user, feature } = item;
  return {
    ...item,
    account:
      account === null || account.externalId === null
        ? account
        : { ...account, externalId: shortened(account.externalId) },
    user: user === null ? null : { ...user, externalId: shortened(user.externalId) },
    feature: feature === null ? null : shortened(feature),
  };
}
