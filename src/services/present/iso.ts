import { DAY_MS } from "../../core/durations.ts";
import type { Day, Window } from "../../core/health/model.ts";

export const iso = (ms: number): string => new Date(ms).toISOString();

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** Formats a day, as `2026-11-12`. */
export const isoDate = (day: Day): string => iso(day * DAY_MS).slice(0, 10);

/** Formats the end of a day, which is the time that its outcomes are based on. */
export const isoEndOf = (day: Day): string => iso((day + 1) * DAY_MS);

export const isoDates = ({ from, to }: Window): { from: string; to: string } => ({
  from: isoDate(from),
  to: isoDate(to),
});
