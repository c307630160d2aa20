export { listEvents } from "../db/events/list-events.ts";
export {
  newestArrivals,
  readFirstArrivals,
  type Arrival,
  type FirstArrivals,
  type NewestReject,
  type StoredArrival,
} from "../db/events/newest-arrivals.ts";
export { readTraffic, type TrafficBucket, type TrafficSpan } from "../db/events/traffic-sql.ts";
export { listRejections, purgeExpiredRejections, type RejectedArrival } from "../db/events/rejections.ts";
