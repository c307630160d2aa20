/**
 * Cloudflare's list prices in US dollars on 2026-11-22, beyond the included amounts of the Workers Paid plan. Check them
 * before you rely on a sum.
 */
export const PRICES = {
  /** A million requests to the Worker. */
  requests: 0.3,
  /** A million calls of an object, including alarms. */
  objectCalls: 0.15,
  /** A million GB-seconds of a running object, which is billed for 128 MB. */
  objectGigabyteSeconds: 12.5,
  /** A million rows of D1 or of an object's storage. Setting an alarm is a row, too. */
  rowsWritten: 1,
  rowsRead: 0.001,
  /** A million operations of a queue. A task is written, read and deleted. */
  queueOperations: 0.4,
  /** A GB of D1 for a month: https://developers.cloudflare.com/d1/platform/pricing/ */
  databaseGigabytes: 0.75,
  /** A GB of R2 for a month, and a million writes (class A) and reads: https://developers.cloudflare.com/r2/pricing/ */
  bucketGigabytes: 0.015,
  bucketWrites: 4.5,
  bucketReads: 0.36,
} as const;

export const OBJECT_GIGABYTES = 0.125;
