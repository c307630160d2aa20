/** Decides what follows from an attempt to deliver a notification (docs/wire/notifications.md §23). */
import { DAY_MS, HOUR_MS } from "../durations.ts";
import type { AttemptOutcome, DestinationKind } from "./model.ts";

const MINUTE_MS = 60_000;
/** The wait after each failure. A notification that fails once more is given up. */
const WAITS_MS = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)];
/** A wait may become this much longer, so that notifications that failed together don't return together. */
const JITTER_SHARE = 0.2;
/** A destination to which nothing was delivered for this time is disabled. So no `Retry-After` needs to be longer. */
export const MAX_FAILING_MS = 3 * DAY_MS;

/** A response, or why none came. */
export type SendResult =
  | { status: number; retryAfter: string | null }
  | { status: null; fault: "timed_out" | "unreachable" | "unreadable" };

export interface RetryStep {
  outcome: AttemptOutcome;
  /** When to try again, in milliseconds since the epoch; `null` if the notification is delivered or given up. */
  nextAttemptAt: number | null;
  /** Why the destination is disabled; `null` if it isn't. */
  disabledReason: "gone" | "failing" | null;
}

/**
 * @param destination since when nothing was delivered to it; `null` after a success
 * @param failures how many attempts failed before
 * @param jitter from 0 to 1
 */
export function retryStep(
  destination: { kind: DestinationKind; failingSince: number | null },
  failures: number,
  result: SendResult,
  { now, jitter }: { now: number; jitter: number },
): RetryStep {
  if (result.status !== null && result.status >= 200 && result.status < 300)
    return { outcome: "delivered", nextAttemptAt: null, disabledReason: null };
  const outcome = result.status === null ? result.fault : "refused";
  // Slack answers 404 for a webhook that was removed.
  const isGone = result.status === 410 || (result.status === 404 && destination.kind === "slack");
  const isFailing = now - (destination.failingSince ?? now) >= MAX_FAILING_MS;
  const wait = WAITS_MS[failures];
  if (isGone || isFailing || wait === undefined)
    return { outcome, nextAttemptAt: null, disabledReason: isGone ? "gone" : isFailing ? "failing" : null };
  const asked = result.status === null ? 0 : readRetryAfter(result.retryAfter, now);
  return {
    outcome,
    nextAttemptAt: now + Math.ceil(Math.max(wait * (1 + JITTER_SHARE * jitter), Math.min(asked, MAX_FAILING_MS))),
    disabledReason: null,
  };
}

/** Reads seconds or an HTTP date. @returns milliseconds from now; 0 if it can't be read or is over */
function readRetryAfter(text: string | null, now: number): number {
  const given = text?.trim() ?? "";
  if (/^\d+$/.test(given)) return Number(given) * 1_000;
  const isDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(given);
  return isDate ? Math.max(0, Date.parse(given) - now) || 0 : 0;
}
