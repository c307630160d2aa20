/**
 * The write limit as an exact sliding window (docs/wire.md, The write limit).
 *
 * It keeps a log of charges, not a counter or a bucket, since only a log is exact: no window of `windowMs`, wherever
 * it begins, holds more than the limit. A request larger than the limit fits no window, so its messages are charged
 * in turn, each at the earliest moment with room: charges may lie ahead.
 *
 * A charge at `t` counts from `t` until `t + windowMs`, exclusive: the window that ends at `e` is `(e - windowMs, e]`.
 * A place at a moment is free when every window that holds the moment has room, those that end at charges ahead
 * included. Moments are whole milliseconds. A decision takes linear time in the charges that stand and are made.
 */
import { after, type Charge, type Charges, highestAfter, merge, nextAfter, windowLoad } from "./charges.ts";

export type { Charge };

/** At most `limit` messages, an integer from 1 up, in any `windowMs`. It may change between requests. */
export interface WritePolicy {
  readonly limit: number;
  readonly windowMs: number;
}

/** Plain data, to be kept from request to request. */
export interface WriteWindow {
  readonly charges: Charges;
  /** The latest moment seen. The window's own time never runs back. */
  readonly now: number;
  /** How far the caller's clock is behind the window's own time, by all its steps back. */
  readonly skewMs: number;
}

export const EMPTY_WINDOW: WriteWindow = { charges: [], now: 0, skewMs: 0 };

interface Standing {
  readonly state: WriteWindow;
  /** Places free now, after the decision. */
  readonly left: number;
  /** Time until the whole quota is free if nothing else comes; 0 when it is. */
  readonly resetMs: number;
}

export type Decision =
  /** `charges` are what `giveBack` takes. */
  | (Standing & { readonly admitted: true; readonly charges: Charge[] })
  /**
   * After `retryAfterMs`, and not a millisecond before, the same request fits if nothing else comes. For `fullMs` nothing
   * does, whatever it costs: nobody can come between.
   */
  | (Standing & { readonly admitted: false; readonly retryAfterMs: number; readonly fullMs: number });

/**
 * Decides whether `cost` messages may be written now, and charges them if so. A request of at most the limit needs
 * its size free, a larger one needs a single free place.
 *
 * @param cost an integer from 1 up: what costs nothing does not ask
 * @param now the caller's clock, in milliseconds; when it steps back, no time has passed for the window
 */
export function admit(window: WriteWindow, cost: number, now: number, policy: WritePolicy): Decision {
  const at = ownTime(window, now);
  const state: WriteWindow = {
    charges: after(window.charges, at - policy.windowMs),
    now: at,
    skewMs: at - now,
  };
  const free = freePlaces(state, policy);
  const needed = cost > policy.limit ? 1 : cost;

  if (free < needed) {
    const retryAfterMs = fitsFrom(state.charges, needed, policy) - at;
    return { admitted: false, retryAfterMs, fullMs: fullMs(state, free, policy), ...standing(state, free, policy) };
  }
  const charges = cost > policy.limit ? chargeInTurn(state, cost, policy) : [{ at, cost }];
  const charged = { ...state, charges: merge(state.charges, charges) };
  return { admitted: true, charges, ...standing(charged, Math.max(0, free - cost), policy) };
}

/** Takes back the charges of one admitted request, as far as they still stand. */
export function giveBack(window: WriteWindow, charges: Charges): WriteWindow {
  const returned = new Map(charges.map(({ at, cost }) => [at, cost]));
  return {
    ...window,
    charges: window.charges
      .map(({ at, cost }) => ({ at, cost: cost - (returned.get(at) ?? 0) }))
      .filter(({ cost }) => cost > 0),
  };
}

/** How many messages are charged in the window that ends now: more than the limit once it was lowered. */
export function inUse(window: WriteWindow, now: number, windowMs: number): number {
  return windowLoad(window.charges, windowMs)(ownTime(window, now));
}

const ownTime = (window: WriteWindow, now: number): number => Math.max(window.now, now + window.skewMs);

function standing(state: WriteWindow, left: number, { windowMs }: WritePolicy): Standing {
  const last = state.charges.at(-1);
  return { state, left, resetMs: last === undefined ? 0 : last.at + windowMs - state.now };
}

/** Never negative: once the limit was lowered, windows may hold more than it. */
function freePlaces({ charges, now }: WriteWindow, { limit, windowMs }: WritePolicy): number {
  const load = windowLoad(charges, windowMs);
  let highest = load(now);
  for (const { at } of after(charges, now)) {
    if (at < now + windowMs) highest = Math.max(highest, load(at));
  }
  return Math.max(0, limit - highest);
}

/** A window that is full stays so until the first charge leaves it. */
function fullMs({ charges: [first], now }: WriteWindow, free: number, { windowMs }: WritePolicy): number {
  return free > 0 || first === undefined ? 0 : first.at + windowMs - now;
}

/**
 * The moment from which on `needed` places stay free, for a request that finds fewer now. A gap between charges ahead
 * does not count: a sender who waits a little longer than told must not miss it.
 */
function fitsFrom(charges: Charges, needed: number, { limit, windowMs }: WritePolicy): number {
  const load = windowLoad(charges, windowMs);
  let from = 0;
  for (const { at } of charges) {
    const leavesAt = at + windowMs;
    if (load(leavesAt - 1) + needed > limit) from = leavesAt;
  }
  return from;
}

/**
 * The charges of more messages than the limit, from now on, each at the earliest moment with a free place. A place
 * comes free only when a charge leaves the window, so no other moments need a look.
 */
function chargeInTurn({ charges, now }: WriteWindow, cost: number, { limit, windowMs }: WritePolicy): Charge[] {
  const placed: Charge[] = [];
  const load = windowLoad(charges, windowMs);
  const placedLoad = windowLoad(placed, windowMs);
  const nextLeaving = nextAfter(charges);
  const nextPlacedLeaving = nextAfter(placed);

  // A window that ends at a charge ahead and holds `at` holds all that was placed, but for what was placed before it
  // began. That part is settled once the window is in sight: from then on the loads of such windows grow alike, and
  // their order stands.
  const ends = after(charges, now);
  const loadAhead = windowLoad(charges, windowMs);
  const placedUntil = windowLoad(placed, Infinity);
  const highestAhead = highestAfter();
  let inSight = 0;

  let at = now;
  let left = cost;
  while (left > 0) {
    for (let end = ends[inSight]; end !== undefined && end.at < at + windowMs; end = ends[++inSight]) {
      highestAhead.add(end.at, loadAhead(end.at) - placedUntil(end.at - windowMs));
    }
    const highest = Math.max(load(at) + placedLoad(at), highestAhead.after(at) + (cost - left));
    const places = Math.min(left, limit - highest);
    if (places > 0) {
      placed.push({ at, cost: places });
      left -= places;
    }
    at = windowMs + Math.min(nextLeaving(at - windowMs), nextPlacedLeaving(at - windowMs));
  }
  return placed;
}
