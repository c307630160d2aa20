export { readInboxPage, type InboxPage } from "../db/inbox/inbox-page.ts";
export { ITEM_STATUSES, listItems, type ItemStatus, type StoredItem } from "../db/inbox/list-items.ts";
export {
  dismissItem,
  snoozeItem,
  undismissItem,
  unsnoozeItem,
  type Marker,
  type MarkOutcome,
} from "../db/inbox/marks.ts";
