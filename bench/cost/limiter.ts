/** Counts what the limiter's object costs: a model of src/limiter/write-limiter.ts, whose alarms need real time. */
import { countOf, SHARES, SLOT_MS, SLOTS, type Workload } from "./traffic.ts";

/** An idle object is soon taken out of memory. It forgets when it saved its counters, and reads its settings again. */
const IDLE_MS = 10_000;
const START_ROWS = 8;

export interface LimiterFigures {
  /** Calls and alarms. */
  requests: number;
  rowsRead: number;
  rowsWritten: number;
}

/**
 * Lets a day pass whose requests come evenly spaced in each slot. The first one saves the counters, and the next one sets an
 * alarm that saves them, unless the last save is old enough.
 */
export function limiterFigures(workload: Workload, size: number, saveEveryMs: number): LimiterFigures {
  const figures = { requests: 0, rowsRead: 0, rowsWritten: 0 };
  let alarmAt: number | null = null;
  let [savedAt, activeAt] = [-Infinity, -Infinity];
  for (const now of arrivals(workload, size)) {
    if (alarmAt !== null && alarmAt <= now) {
      figures.requests += 1;
      figures.rowsWritten += 1;
      savedAt = alarmAt;
      activeAt = alarmAt;
      alarmAt = null;
    }
    if (now - activeAt > IDLE_MS) {
      figures.rowsRead += START_ROWS;
      savedAt = -Infinity;
    }
    activeAt = now;
    figures.requests += 1;
    if (alarmAt !== null) continue;
    figures.rowsWritten += 1;
    if (now >= savedAt + saveEveryMs) savedAt = now;
    else alarmAt = savedAt + saveEveryMs;
  }
  return figures;
}

function* arrivals(workload: Workload, size: number): Generator<number> {
  let waiting = 0;
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const messages = countOf(workload, slot) * (1 + SHARES.retried);
    for (let sent = size - waiting; sent <= messages; sent += size) {
      yield (slot + sent / messages) * SLOT_MS;
    }
    waiting = (waiting + messages) % size;
  }
}
