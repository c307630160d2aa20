export * from "../db/events/arrivals.ts";
export * from "../db/events/traffic-sql.ts";
export * from "../db/events/rejections.ts";
