/** Computes a month's bill from a simulated day. */
import { typedKeys } from "../../src/core/typed-keys.ts";
import { limiterFigures } from "./limiter.ts";
import { BASE_DOLLARS, type Meter, OBJECT_GIGABYTES, PRICES } from "./prices.ts";
import type { Phase, Simulated } from "./simulate.ts";
import { MONTH_DAYS, SHARES } from "./traffic.ts";

export type Usage = Partial<Record<Meter, number>>;

/** What the price is made of. */
export type Part = "requests" | "limiter" | "ingest" | "recompute" | "archive" | "storage" | "logs";

export interface Settings {
  /** How often the limiter saves its counters. */
  saveEveryMs: number;
  /** The share of successful requests that write a line into the log. */
  loggedShare: number;
}

/** As in steady state in src/limiter/write-limiter.ts, and in wrangler.toml. */
export const CURRENT: Settings = { saveEveryMs: 60_000, loggedShare: 0.05 };

/**
 * CPU milliseconds of a request by its messages: `npm run bench` on a busy machine, with SQLite's, which D1 doesn't bill. A quiet
 * one takes a third.
 */
const CPU_MS = new Map([
  [1, 2.7],
  [100, 7.8],
]);
/** Milliseconds that a call keeps the object running. `npm run bench:limiter`: a decision takes less than one. */
const CALL_MS = 1;
const OPERATIONS_PER_TASK = 3;
const YEAR = { days: 365, months: 12 };

/** Computes the usage of a month of a workspace: its messages are a month in D1, and a year in R2. */
export function monthOf(simulated: Simulated, size: number, settings: Settings): Record<Part, Usage> {
  const { workload, messages, runs, archive, hotBytes, derivedBytes } = simulated;
  const month = workload.messagesPerMonth;
  const sample = simulated.ingest.find((one) => one.size === size)?.phase;
  if (sample === undefined) throw new Error(`No requests of ${size} messages were measured.`);
  const requests = (month * (1 + SHARES.retried)) / size;
  const limiter = limiterFigures(workload, size, settings.saveEveryMs);
  const days = month / messages;
  const archived = month / archive.messages;
  return {
    requests: { requests, cpuMs: requests * (CPU_MS.get(size) ?? 0) },
    limiter: {
      objectRequests: limiter.requests * MONTH_DAYS,
      objectGigabyteSeconds: (limiter.requests * MONTH_DAYS * CALL_MS * OBJECT_GIGABYTES) / 1_000,
      objectRowsRead: limiter.rowsRead * MONTH_DAYS,
      objectRowsWritten: limiter.rowsWritten * MONTH_DAYS,
    },
    ingest: rowsOf(sample, month / sample.stored),
    recompute: tasksOf(runs, days),
    archive: {
      ...tasksOf(archive, archived),
      bucketReads: archive.bucketReads * archived,
      bucketWrites: archive.bucketWrites * archived,
    },
    storage: {
      databaseGigabytes: (month * hotBytes + derivedBytes * YEAR.days) / 1e9,
      bucketGigabytes: (archive.fileBytes * archived * YEAR.months) / 1e9,
    },
    logs: {
      logLines: requests * settings.loggedShare + runs.logLines * days + archive.logLines * archived,
    },
  };
}

const rowsOf = ({ rowsRead, rowsWritten }: Phase, times: number): Usage => ({
  rowsRead: rowsRead * times,
  rowsWritten: rowsWritten * times,
});

/** A task is also an invocation of the Worker. */
const tasksOf = (phase: Phase, times: number): Usage => ({
  ...rowsOf(phase, times),
  requests: phase.tasks * times,
  cpuMs: phase.processorMs * times,
  queueOperations: phase.tasks * OPERATIONS_PER_TASK * times,
});

const MILLION = 1_000_000;
const unitsOf = (meter: Meter, used: number) => (PRICES[meter].unit === "million" ? used / MILLION : used);
const METERS = typedKeys(PRICES);

/** Computes dollars without the included amounts. */
export const listPrice = (usage: Usage): number =>
  METERS.reduce((sum, meter) => sum + unitsOf(meter, usage[meter] ?? 0) * PRICES[meter].each, 0);

/** Adds up parts. */
export function totalOf(parts: Record<string, Usage>): Usage {
  const total: Usage = {};
  for (const usage of Object.values(parts)) {
    for (const meter of METERS) total[meter] = (total[meter] ?? 0) + (usage[meter] ?? 0);
  }
  return total;
}

/** Computes the month's bill of a deployment with so many workspaces, with the plan and beyond what it includes. */
export const monthlyBill = (usage: Usage, workspaces: number): number =>
  METERS.reduce((sum, meter) => {
    const { each, included } = PRICES[meter];
    return sum + Math.max(0, unitsOf(meter, (usage[meter] ?? 0) * workspaces) - included) * each;
  }, BASE_DOLLARS);
