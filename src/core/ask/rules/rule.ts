/** A rule: what a question must be made of to mean a plan, and what else it may be made of. */
import type { Day } from "../../health/model.ts";
import type { Concept } from "../lexicon/concept-words.ts";
import type { AskWindow, Entity, Plan } from "../model.ts";
import type { TimeUse } from "../time/windows.ts";

/** What a rule found in a question, for its plan. */
export interface Slots {
  account: Entity;
  /** The second account. */
  other: Entity;
  user: Entity;
  feature: Entity | undefined;
  planName: string | undefined;
  /** The window, the default one where none was said; with two, the later of them. */
  window: AskWindow;
  /** The window of the same length right before, or with two the earlier of them. */
  before: AskWindow;
  ever: AskWindow;
  number: number | undefined;
  today: Day;
  /** Whether the feature was told in other words than its name. */
  isSpoken: boolean;
  has: (concept: Concept) => boolean;
  says: (...words: string[]) => boolean;
}

export interface Rule {
  names: { account?: 1 | 2; user?: 1; feature?: 1 | "optional" };
  /** Each says by itself what is meant. */
  ways: readonly (readonly Concept[])[];
  may?: readonly Concept[];
  time: TimeUse;
  /** So many days up to today are taken where no time is said; else `DEFAULT_DAYS`. */
  days?: number;
  /** A time must be said. */
  needsTime?: true;
  /** Takes a number, of how many are wanted. */
  takesNumber?: true;
  /** Takes the name of a plan; with "one" there must be one. */
  takesPlan?: "optional" | "one";
  /** Words, otherwise of no weight, with which it means something else. */
  butNot?: readonly string[];
  /** What the people or accounts are counted that did something: a verb must not have been done to them. */
  doers?: readonly Concept[];
  /** What is counted or ranked: no other noun may stand where that is told ("how many events did the users have"). */
  counts?: readonly Concept[];
  plan: (slots: Slots) => Plan | null;
}

/** What may stand in any question about what is. */
export const ABOUT_NOW: readonly Concept[] = ["now", "already", "listing", "what", "yesNo"];
/** What may stand in any question about what happened. */
export const ABOUT_THEN: readonly Concept[] = ["now", "lately", "listing", "what", "product"];

/** How it was is not how it is. */
export const PAST: readonly string[] = ["was", "were", "had"];

/** Each way with each of the additions. */
export const withEach = (
  ways: readonly (readonly Concept[])[],
  additions: readonly (readonly Concept[])[],
): (readonly Concept[])[] => ways.flatMap((way) => additions.map((addition) => [...way, ...addition]));

/** A way for each of the concepts. */
export const eachOf = (...concepts: readonly Concept[]): (readonly Concept[])[] => concepts.map((concept) => [concept]);
