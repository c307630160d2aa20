/**
 * What a measure comes to before it goes out: a sentence with the grounds that it stands on, or why there is none. Each
 * number, date and name that a sentence says is put down as a ground where it is said, so that the check of the whole
 * (`check.ts`) finds it.
 */
import type { Day, Window } from "../../health/model.ts";
import type { Answer, Entity, Evidence, Facts, Freshness, Plan, Reason } from "../model.ts";

type Known = Extract<Answer, { knows: true }>;

/** Evidence to be: without an id, and as of now unless it says otherwise. */
export interface Ground {
  kind: Evidence["kind"];
  measure: string;
  value: Evidence["value"];
  window?: Window;
  /** Milliseconds since the epoch. */
  asOf?: number;
}

export interface Finding {
  says: string;
  /** Absent where it was asked for something that has not been yet, like a last event before the first. */
  value?: NonNullable<Known["value"]>;
  grounds: readonly Ground[];
  /** Where what it stands on is itself uncertain. */
  confidence?: "medium";
}

export interface Silence {
  silence: Reason;
  /** A sentence for a person. */
  detail: string;
  nearestAnswerable?: string;
}

export type Outcome = Finding | Silence;

/** What the functions that answer are given. */
export interface Ask<P extends Plan, F extends Facts["subject"]> {
  plan: P;
  facts: Extract<Facts, { subject: F }>;
  /** The account or user asked about, quoted, in the form that the question is restated with. */
  name: string;
  freshness: Freshness;
  /** Milliseconds since the epoch. */
  now: number;
  /** As the asker's time zone has it. */
  today: Day;
}

export const silence = (reason: Reason, detail: string, nearestAnswerable?: string): Silence => ({
  silence: reason,
  detail,
  ...(nearestAnswerable !== undefined && { nearestAnswerable }),
});

/** A count of what was done. */
export const rollup = (measure: string, value: Ground["value"], { from, to }: Window): Ground => ({
  kind: "rollup",
  measure,
  value,
  window: { from, to },
});

export const attribute = (measure: string, value: Ground["value"]): Ground => ({ kind: "attribute", measure, value });

/** The names that a row of a list is shown with (`named` in wording.ts). */
export function nameGrounds({ type, externalId, name }: Entity): Ground[] {
  const grounds: Ground[] = [attribute(type, externalId)];
  if (name !== null && name !== externalId) {
    grounds.push({ kind: "trait", measure: type === "account" ? "company" : "name", value: name });
  }
  return grounds;
}

/** What of something a row of `value` tells it by. */
export function idsOf({ type, id, externalId, name }: Entity): Record<string, unknown> {
  if (type === "feature") return { feature: externalId };
  return { id, externalId, ...(name !== null && { name }) };
}

/**
 * The use in one of the plan's windows.
 *
 * @throws where the facts are not those of the plan: a fault of whoever looked them up
 */
export function factAt<Fact>(facts: readonly Fact[], index: number): Fact {
  const fact = facts[index];
  if (fact === undefined) throw new Error(`the facts of a plan lack number ${index}`);
  return fact;
}

/** Events of one event name among those of all; a narrower look-up leaves no other. */
export function eventsOf(features: readonly { feature: Entity; events: number }[], feature: Entity): number {
  return features.find((used) => used.feature.externalId === feature.externalId)?.events ?? 0;
}

/** Whether what was ingested, and what is known of the subject, begins no later than a window. */
export function reachesBack(window: Window, since: Day | null, { firstDay }: Freshness): boolean {
  return since !== null && firstDay !== null && Math.max(since, firstDay) <= window.from;
}
