import { DAY_MS } from "../../core/durations.ts";
import type { Day, Window } from "../../core/health/model.ts";

/** A moment as the wire writes it, ISO 8601 in UTC. */
export const iso = (ms: number): string => new Date(ms).toISOString();

/** The same of a moment that may not have been. */
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** A day as the wire writes it, `2026-11-12`. */
export const isoDate = (day: Day): string => iso(day * DAY_MS).slice(0, 10);

/** The moment as of which a day is judged: its end. */
export const isoEndOf = (day: Day): string => iso((day + 1) * DAY_MS);

/** A stretch of days, both ends included. */
export const isoDates = ({ from, to }: Window): { from: string; to: string } => ({
  from: isoDate(from),
  to: isoDate(to),
});
