/** When something was first or last seen. What has not been yet is answered as that: it is known that there was none. */
import type { Day } from "../../health/model.ts";
import { dateOf, momentDate } from "../../health/texts.ts";
import type { Finding, Ground } from "./finding.ts";
import { dayOf, isoDay, isoTime, several } from "./wording.ts";

/** @param at milliseconds since the epoch */
export function lastSeen(name: string, at: number | null, today: Day): Finding {
  if (at === null) return notSeen(name, "last_seen");
  const value = isoTime(at);
  const days = Math.max(0, today - dayOf(at));
  const grounds: Ground[] = [
    { kind: "event", measure: "last_seen", value },
    { kind: "event", measure: "days_since", value: days },
  ];
  const ago = days === 0 ? "today" : days === 1 ? "yesterday" : `${several(days, "day")} ago`;
  return { says: `${name} was last seen on ${momentDate(at)}, ${ago}.`, value, grounds };
}

export function firstSeen(name: string, day: Day | null, recordedFrom: Day | null): Finding {
  if (day === null) return notSeen(name, "first_seen");
  const value = isoDay(day);
  const grounds = [{ kind: "event", measure: "first_seen", value }] as const;
  const isFromTheStart = day === recordedFrom;
  const start = isFromTheStart ? ", when recording began" : "";
  return { says: `${name} was first seen on ${dateOf(day)}${start}.`, value, grounds };
}

const notSeen = (name: string, measure: string): Finding => ({
  says: `There has been no event of ${name} yet.`,
  grounds: [{ kind: "event", measure, value: null }],
});

/**
 * @param at of the first message that named it
 * @param recordedFrom the day of the workspace's first event: who was there already came before
 */
export function knownSince(name: string, at: number, recordedFrom: Day | null): Finding {
  const value = isoTime(at);
  const grounds = [{ kind: "event", measure: "since", value }] as const;
  const isFromTheStart = dayOf(at) === recordedFrom;
  return isFromTheStart
    ? { says: `${name} has been known since at least ${momentDate(at)}, when recording began.`, value, grounds }
    : { says: `${name} has been known since ${momentDate(at)}.`, value, grounds };
}
