/**
 * Times the calls that a request makes to databases and Durable Objects, for its line in the request log. The calls are timed
 * where they leave the Worker, in `db` and `limiter`. They find their request by its asynchronous context, so that nothing in
 * between has to pass it on.
 */
import { AsyncLocalStorage } from "node:async_hooks";

type Field = "databaseMs" | "limiterMs";

/** Milliseconds in which at least one call was running; absent without a call. Workers' clock moves only during calls. */
export type CallTimes = Partial<Record<Field, number>>;

/** The time is added up until `countedTo`. */
const newClock = () => ({ running: 0, countedTo: 0 });

const requests = new AsyncLocalStorage<{ times: CallTimes } & Record<Field, ReturnType<typeof newClock>>>();

/** Runs a request, and adds up the times of its calls in `times`. */
export const timeCalls = <T>(times: CallTimes, run: () => T): T =>
  requests.run({ times, databaseMs: newClock(), limiterMs: newClock() }, run);

/** Makes a call, and times it if it belongs to a request. */
export async function timed<T>(field: Field, call: () => Promise<T>): Promise<T> {
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
