/** The write limit, as far as senders can prove anything of it: see load/window-watch.ts. */
import { WRITE_WINDOW_MS } from "../../../src/core/limit/policy.ts";
import type { WorkspaceLedger } from "../load/protocol.ts";
import { type Check, sumOf } from "./check.ts";

export function checkLimits(ledgers: readonly WorkspaceLedger[]): Check[] {
  const windows = ledgers.map(({ window, limit }) => ({ ...window, limit }));
  const total = (of: "tooMany" | "refusals" | "needless" | "returned" | "refusedAgain") =>
    sumOf(windows, (one) => one[of]);
  const over = ledgers.filter((ledger) => ledger.window.admitted > mostOf(ledger)).length;
  return [
    {
      name: "no window of 10 s surely holds more than the limit",
      ok: total("tooMany") === 0,
      figures: {
        "windows above it": total("tooMany"),
        "% of the limit in the fullest": Math.max(
          ...windows.map(({ most, limit }) => Math.floor((100 * most) / limit)),
        ),
      },
    },
    {
      name: "over the whole run no workspace was admitted more than its limit allows",
      ok: over === 0,
      figures: {
        "workspaces above it": over,
        "% of that in the busiest": Math.max(
          ...ledgers.map((ledger) => Math.floor((100 * ledger.window.admitted) / mostOf(ledger))),
        ),
      },
    },
    {
      name: "no refusal without a reason",
      ok: total("needless") === 0,
      figures: { judged: total("refusals"), needless: total("needless") },
    },
    {
      name: "who comes back after Retry-After is admitted, if nothing else came between",
      ok: total("refusedAgain") === 0,
      figures: { returned: total("returned"), "refused again": total("refusedAgain") },
    },
  ];
}

/**
 * Charges lie no closer than the limit in any window, so a run holds at most that for each window it touches. What is
 * charged after its end is at most a request above the limit and what stood beside it, less than the limit: such a
 * request is only admitted when there is room, and there is none before what lies ahead fits into a window.
 */
function mostOf({ limit, window }: WorkspaceLedger): number {
  const windows = Math.ceil(lengthOf(window) / WRITE_WINDOW_MS);
  return limit * windows + (window.largest > limit ? limit + window.largest : 0);
}

/** The limiter counts whole milliseconds. */
const lengthOf = ({ firstSentAt, lastAnsweredAt }: WorkspaceLedger["window"]): number =>
  Math.max(0, lastAnsweredAt - firstSentAt) + 1;
