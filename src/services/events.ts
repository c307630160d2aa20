export {
  readFirstArrivals,
  type FirstArrivals,
  type NewestReject,
  type StoredArrival,
} from "../db/events/first-arrivals.ts";
export { listEvents } from "../db/events/list-events.ts";
export { newestArrivals, type Arrival, type RejectedArrival } from "../db/events/live-messages.ts";
export { readTraffic, type TrafficBucket, type TrafficSpan } from "../db/events/traffic.ts";
export { listRejections, purgeExpiredRejections } from "../db/events/rejections.ts";
