/** What a question without an answer may have meant: events and names like those in it. */
import { editDistanceWithin, maxEdits } from "../../normalize-names.ts";
import { stemOf } from "../../stem.ts";
import type { Reading } from "../fragments/readings.ts";
import { eventStems } from "../words/mentions.ts";
import type { Candidate } from "../words/match-names.ts";
import type { Word } from "../words/split-words.ts";

export const MAX_PROPOSED = 5;
const MAX_STEMS = 4;

/** Returns the closest events to unknown words and words of events: first by shared stems, then by spelling. */
export function closeEvents(
  words: readonly Word[],
  { unknown, mentions }: Reading,
  events: readonly string[],
): string[] {
  const named = mentions.flatMap(({ dimension, from, to }) => (dimension === "event" ? words.slice(from, to) : []));
  const said = [...unknown.map((at) => words[at]), ...named].map((word) => stemOf(word?.folded ?? ""));
  const stems = [...new Set(said)].slice(0, MAX_STEMS);
  return eventStems(events)
    .spoken.map(({ event, key }) => {
      const distances = stems.flatMap((stem) =>
        Array.from(key, (each) => editDistanceWithin(stem, each, maxEdits(stem.length)) ?? Infinity),
      );
      return { event, shared: stems.filter((stem) => key.has(stem)).length, distance: Math.min(...distances) };
    })
    .filter(({ distance }) => distance !== Infinity)
    .toSorted((a, b) => b.shared - a.shared || a.distance - b.distance)
    .slice(0, MAX_PROPOSED)
    .map(({ event }) => event);
}

/** Returns the entities that share an ambiguous part of a name, if any. */
export function ambiguousIn(readings: readonly Reading[]): Candidate[] | null {
  const parts = readings.flatMap(({ mentions }) => mentions.filter(({ distance }) => distance > 0));
  const byRun = Map.groupBy(parts, ({ from, to }) => `${from} ${to}`);
  for (const mentions of byRun.values()) {
    const candidates = uniqueOf(mentions.flatMap(({ name }) => name ?? []));
    if (candidates.length > 1) return candidates;
  }
  return null;
}

export const uniqueOf = (candidates: readonly Candidate[]): Candidate[] => [
  ...new Map(candidates.map((each) => [`${each.type} ${each.externalId}`, each])).values(),
];
