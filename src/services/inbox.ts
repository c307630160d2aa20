export * from "../db/inbox/list-items.ts";
export * from "../db/inbox/marks.ts";
