/**
 * The write limit as an exact sliding window (docs/wire/write-limit.md §7).
 *
 * The window is a log of charges and not a counter or a token bucket, because only a log is exact: no period of
 * `windowMs` holds more than the limit, wherever it begins. A request larger than the limit never fits a window, so its
 * messages are charged in turn, each at the earliest moment with room. Charges may therefore lie in the future.
 *
 * A charge at `t` counts from `t` until just before `t + windowMs`: the window that ends at `e` is `(e - windowMs, e]`.
 * A moment has capacity when every window that contains the moment has room, including windows that end at future
 * charges. Times are whole milliseconds. A decision takes linear time in the number of charges, and quadratic time
 * for a request larger than the limit. Then the limit, and so the number of charges, is below 1,000.
 */

/** `cost` messages, counted from the moment `at` on. */
export interface Charge {
  readonly at: number;
  readonly cost: number;
}

/** In time order, with at most one charge per moment. */
type Charges = readonly Charge[];

/** At most `limit` messages (an integer from 1 up) in any `windowMs`. The policy may change between requests. */
export interface RateLimitPolicy {
  readonly limit: number;
  readonly windowMs: number;
}

/** The state to keep between requests, as plain data. */
export interface WriteWindow {
  readonly charges: Charges;
  /** The latest time seen. The window's own clock never runs backwards. */
  readonly now: number;
  /** How far the caller's clock is behind the window's clock because it stepped back. */
  readonly skewMs: number;
}

export const EMPTY_WINDOW: WriteWindow = { charges: [], now: 0, skewMs: 0 };

interface Quota {
  readonly state: WriteWindow;
  /** Free capacity after the decision. */
  readonly left: number;
  /** Time until the whole quota is free again if nothing else arrives. */
  readonly resetMs: number;
}

export type Decision =
  /** Pass `charges` to `refund` to undo the decision. */
  | (Quota & { readonly admitted: true; readonly charges: Charge[] })
  | (Quota & {
      readonly admitted: false;
      /** Time until the same request fits if nothing else arrives. It doesn't fit a millisecond earlier. */
      readonly retryAfterMs: number;
    });

/**
 * Decides whether `cost` messages may be written now, and charges them if so. A request up to the limit needs
 * capacity for all its messages; a larger one for one message.
 *
 * @param cost an integer from 1 up
 * @param now the caller's clock in milliseconds; when it steps back, no time passes for the window
 */
export function consume(window: WriteWindow, cost: number, now: number, policy: RateLimitPolicy): Decision {
  const at = windowTime(window, now);
  const state: WriteWindow = {
    charges: after(window.charges, at - policy.windowMs),
    now: at,
    skewMs: at - now,
  };
  const free = freeCapacity(state, policy);
  const needed = cost > policy.limit ? 1 : cost;

  if (free < needed) {
    const retryAfterMs = fitsFrom(state.charges, needed, policy) - at;
    return { admitted: false, retryAfterMs, ...quotaOf(state, free, policy) };
  }
  const charges = cost > policy.limit ? scheduleCharges(state, cost, policy) : [{ at, cost }];
  const charged = { ...state, charges: merge(state.charges, charges) };
  return { admitted: true, charges, ...quotaOf(charged, Math.max(0, free - cost), policy) };
}

/** Adds charges that another limit has scheduled, whether there is room or not. */
export function addCharges(window: WriteWindow, charges: Charges): WriteWindow {
  return { ...window, charges: merge(window.charges, charges) };
}

/** Removes the charges of one admitted request, as far as the window still holds them. */
export function refund(window: WriteWindow, charges: Charges): WriteWindow {
  const refunded = new Map(charges.map(({ at, cost }) => [at, cost]));
  return {
    ...window,
    charges: window.charges
      .map(({ at, cost }) => ({ at, cost: cost - (refunded.get(at) ?? 0) }))
      .filter(({ cost }) => cost > 0),
  };
}

/** Counts the messages charged in the window that ends now. After the limit was lowered this may exceed it. */
export function inUse(window: WriteWindow, now: number, windowMs: number): number {
  return windowLoad(window.charges, windowMs)(windowTime(window, now));
}

const windowTime = (window: WriteWindow, now: number): number => Math.max(window.now, now + window.skewMs);

function quotaOf(state: WriteWindow, left: number, { windowMs }: RateLimitPolicy): Quota {
  const last = state.charges.at(-1);
  return { state, left, resetMs: last === undefined ? 0 : last.at + windowMs - state.now };
}

/** Never negative: after the limit was lowered, windows may hold more than the limit. */
function freeCapacity({ charges, now }: WriteWindow, { limit, windowMs }: RateLimitPolicy): number {
  const load = windowLoad(charges, windowMs);
  let highest = load(now);
  for (const { at } of after(charges, now)) {
    if (at < now + windowMs) highest = Math.max(highest, load(at));
  }
  return Math.max(0, limit - highest);
}

/**
 * Finds the time from which capacity for `needed` messages stays free. Ignores gaps between future charges: a sender who waits a little
 * longer than Retry-After must not miss the gap and be refused again.
 */
function fitsFrom(charges: Charges, needed: number, { limit, windowMs }: RateLimitPolicy): number {
  const load = windowLoad(charges, windowMs);
  let from = 0;
  for (const { at } of charges) {
    const leavesAt = at + windowMs;
    if (load(leavesAt - 1) + needed > limit) from = leavesAt;
  }
  return from;
}

/**
 * Charges a request larger than the limit: each message at the earliest moment with capacity, from now on. Capacity
 * is freed only when a charge leaves the window, so only those moments are checked.
 */
function scheduleCharges(state: WriteWindow, cost: number, policy: RateLimitPolicy): Charge[] {
  const placed: Charge[] = [];
  let left = cost;
  let { charges } = state;
  for (let at = state.now; left > 0;) {
    const charge = { at, cost: Math.min(left, freeCapacity({ ...state, charges, now: at }, policy)) };
    if (charge.cost > 0) {
      placed.push(charge);
      charges = merge(charges, [charge]);
      left -= charge.cost;
    }
    at = policy.windowMs + (after(charges, at - policy.windowMs)[0]?.at ?? at);
  }
  return placed;
}

/** Returns the charges later than a moment. */
const after = (charges: Charges, moment: number): Charges =>
  charges.slice(charges.findLastIndex(({ at }) => at <= moment) + 1);

function merge(charges: Charges, more: Charges): Charges {
  const tail = after(charges, more[0]?.at ?? Infinity);
  const merged = charges.slice(0, charges.length - tail.length);
  for (const charge of [...tail, ...more].toSorted((a, b) => a.at - b.at)) {
    const last = merged.at(-1);
    if (last?.at === charge.at) {
      merged[merged.length - 1] = { at: last.at, cost: last.cost + charge.cost };
    } else {
      merged.push(charge);
    }
  }
  return merged;
}

/**
 * Reads how much is charged in the window `(end - windowMs, end]`. Call the reader with ascending ends only: all its calls
 * together then take linear time.
 */
function windowLoad(charges: Charges, windowMs: number): (end: number) => number {
  let load = 0;
  let entering = 0;
  let leaving = 0;
  return (end) => {
    for (let c = charges[entering]; c !== undefined && c.at <= end; c = charges[++entering]) {
      load += c.cost;
    }
    for (let c = charges[leaving]; c !== undefined && c.at <= end - windowMs; c = charges[++leaving]) {
      load -= c.cost;
    }
    return load;
  };
}
