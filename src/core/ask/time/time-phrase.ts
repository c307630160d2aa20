/** A time as a question says it, before it is known what it is asked of. */
import type { Window } from "../../health/model.ts";
import type { Unit } from "./calendar.ts";

/** A stretch of time that words mean, looking back and looking ahead: the two differ where the words leave it open. */
export interface Stretch {
  back: Window;
  ahead: Window;
}

export interface TimePhrase extends Stretch {
  /**
   * `duration`: so many days without saying which, as in "silent for 30 days". `previous`: the time just before another.
   * `day`: what may stand for "now".
   */
  kind: "window" | "duration" | "previous" | "day";
  /** Of `previous`, the calendar unit that was said: "the month before". */
  unit?: Unit;
  /** Of `previous`, whether `back` has as many days as it has: "the 14 days before". */
  isCounted?: true;
  /** Of a calendar unit around, before or after today. */
  calendarUnit?: Unit;
  /** "since October": it may mean its first day or its last. */
  isSinceStretch?: true;
  /** How many tokens it takes. */
  length: number;
}

/** Days that no point of view moves. */
export const fixed = (window: Window, length: number): TimePhrase => ({
  kind: "window",
  back: window,
  ahead: window,
  length,
});

export const lengthened = (phrase: TimePhrase | null, by: number): TimePhrase | null =>
  phrase === null ? null : { ...phrase, length: phrase.length + by };

/** The first of the longest. */
export function longest(phrases: readonly (TimePhrase | null)[]): TimePhrase | null {
  return phrases.reduce(
    (best, phrase) => (phrase !== null && phrase.length > (best?.length ?? 0) ? phrase : best),
    null,
  );
}
