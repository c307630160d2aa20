export * from "../db/inbox/inbox-page.ts";
export * from "../db/inbox/list-items.ts";
export * from "../db/inbox/marks.ts";
