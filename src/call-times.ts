/**
 * Times the calls that a request makes to databases and Durable Objects, for its line in the request log. The calls are timed
 * where they leave the Worker, in `db` and `limiter`. They find their request by its asynchronous context, so that nothing in
 * between has to pass it on.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Milliseconds in which at least one call was running. Workers' clock stands still between calls. Absent without a call. */
export interface CallTimes {
  databaseMs?: number;
  limiterMs?: number;
}

interface Clock {
  running: number;
  /** Until when the time is counted. */
  countedTo: number;
}

const requests = new AsyncLocalStorage<{ times: CallTimes } & Record<keyof CallTimes, Clock>>();

const newClock = (): Clock => ({ running: 0, countedTo: 0 });

/** Runs a request, and adds up the times of its calls in `times`. */
export const timeCalls = <T>(times: CallTimes, run: () => T): T =>
  requests.run({ times, databaseMs: newClock(), limiterMs: newClock() }, run);

/** Makes a call, and times it if it belongs to a request. */
export async function timed<T>(field: keyof CallTimes, call: () => Promise<T>): Promise<T> {
  const request = requests.getStore();
  if (request === undefined) return call();
  const { times, [field]: clock } = request;
  if (clock.running === 0) clock.countedTo = Date.now();
  clock.running += 1;
  try {
    return await call();
  } finally {
    const now = Date.now();
    times[field] = (times[field] ?? 0) + now - clock.countedTo;
    clock.countedTo = now;
    clock.running -= 1;
  }
}
