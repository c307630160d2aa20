export { readInboxPage, type InboxPage, type ListedItem, type Mrr, type PricedItem } from "../db/inbox/inbox-page.ts";
export { ITEM_STATUSES, type ItemStatus } from "../db/inbox/item-status.ts";
export { listItems, type StoredItem } from "../db/inbox/list-items.ts";
export {
  dismissItem,
  snoozeItem,
  undismissItem,
  unsnoozeItem,
  type Marker,
  type MarkOutcome,
} from "../db/inbox/marks.ts";
