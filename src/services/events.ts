export * from "../db/events/list-events.ts";
export * from "../db/events/newest-arrivals.ts";
export * from "../db/events/traffic-sql.ts";
export * from "../db/events/rejections.ts";
