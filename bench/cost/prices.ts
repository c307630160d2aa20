/**
 * Cloudflare's list prices in US dollars for Workers Paid, with the amounts that each account has included every month. They
 * were read in Cloudflare's documentation (github.com/cloudflare/cloudflare-docs) on 2026-11-27. Check them before you rely
 * on a sum.
 */

interface Price {
  /** Dollars for a million, or for a GB. */
  each: number;
  /** Millions or GB a month. */
  included: number;
  unit: "million" | "GB";
}

const million = (each: number, included: number): Price => ({ each, included, unit: "million" });
const gigabyte = (each: number, included: number): Price => ({ each, included, unit: "GB" });

export const PRICES = {
  /** https://developers.cloudflare.com/workers/platform/pricing/. Consumers of queues and the cron are requests, too. */
  requests: million(0.3, 10),
  cpuMs: million(0.02, 30),
  /** https://developers.cloudflare.com/durable-objects/platform/pricing/. Calls by RPC, and alarms. */
  objectRequests: million(0.15, 1),
  /** While an object runs. It has 128 MB. An idle one that may hibernate costs nothing. */
  objectGigabyteSeconds: million(12.5, 0.4),
  /** SQLite storage. A key is a row, and setting an alarm is a row written. */
  objectRowsRead: million(0.001, 25_000),
  objectRowsWritten: million(1, 50),
  /** https://developers.cloudflare.com/d1/platform/pricing/. An index is another row written; D1's own count has it. */
  rowsRead: million(0.001, 25_000),
  rowsWritten: million(1, 50),
  databaseGigabytes: gigabyte(0.75, 5),
  /** https://developers.cloudflare.com/queues/platform/pricing/. A task is written, read and deleted. */
  queueOperations: million(0.4, 1),
  /**
   * https://developers.cloudflare.com/workers/platform/pricing/#workers-logs, until 2026-11-30. After that, a GB of logs costs 0.25
   * dollars and storing it for a week 0.023, beyond 50 and 12 GB (https://developers.cloudflare.com/observability/pricing/):
   * the same if a line has 2.2 KB with what Cloudflare adds to it.
   */
  logLines: million(0.6, 20),
  /** https://developers.cloudflare.com/r2/pricing/. Operations of class A, and of class B; deleting is free. */
  bucketWrites: million(4.5, 1),
  bucketReads: million(0.36, 10),
  bucketGigabytes: gigabyte(0.015, 10),
} satisfies Record<string, Price>;

export type Meter = keyof typeof PRICES;

/** A month of the plan itself. */
export const BASE_DOLLARS = 5;

export const OBJECT_GIGABYTES = 0.128;

/**
 * What the events of a month cost elsewhere, by list price. The vendors' own pages couldn't be read, only copies of them. `null`
 * where there is no list price, or the copy doesn't have it.
 */
export const ELSEWHERE: { name: string; source: string; dollars: (millions: number) => number | null }[] = [
  {
    name: "PostHog, product analytics",
    source: "https://posthog.com/pricing, copied in github.com/api-evangelist/posthog, 2026-05-04, and by flexprice.io",
    dollars: (millions) => tiered(millions, POSTHOG),
  },
  {
    name: "Mixpanel, Growth (1 M free)",
    source: "https://mixpanel.com/pricing/, copied in github.com/api-evangelist/mixpanel, 2026-05-04",
    dollars: (millions) => (millions > 20 ? null : (millions - 1) * 280),
  },
  {
    name: "RudderStack, Growth",
    source: "https://www.rudderstack.com/pricing/, copied in github.com/api-evangelist/rudderstack, 2026-08-13",
    dollars: (millions) => (millions > 1 ? null : 265),
  },
];

/** Up to how many millions of events, and dollars for a million of them. */
const POSTHOG = [
  [1, 0],
  [2, 50],
  [15, 34.3],
  [50, 29.5],
  [100, 21.8],
  [250, 15],
  [Infinity, 9],
] as const;

function tiered(millions: number, tiers: readonly (readonly [upTo: number, each: number])[]): number {
  let [from, dollars] = [0, 0];
  for (const [upTo, each] of tiers) {
    dollars += Math.max(0, Math.min(millions, upTo) - from) * each;
    from = upTo;
  }
  return dollars;
}
