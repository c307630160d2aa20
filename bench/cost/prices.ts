/**
 * Cloudflare's list prices in US dollars, as its pages told them on 2026-11-22: what is beyond the included amounts of the
 * Workers Paid plan. Check them before you rely on a sum.
 */
export const PRICES = {
  /** A million requests to the Worker. */
  requests: 0.3,
  /** A million calls of an object, alarms among them. */
  objectCalls: 0.15,
  /** A million GB-seconds of an object that runs; it is billed for 128 MB. */
  objectGigabyteSeconds: 12.5,
  /** A million rows, of D1 and of an object's storage alike. An alarm that is set is a row too. */
  rowsWritten: 1,
  rowsRead: 0.001,
} as const;

export const OBJECT_GIGABYTES = 0.125;
