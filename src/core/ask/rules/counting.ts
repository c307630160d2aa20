/** What is counted, whoever it is counted of: people, days, and the events of a feature. */
import type { Concept } from "../lexicon/concept-words.ts";
import type { AskWindow } from "../model.ts";
import { eachOf, type Slots, withEach } from "./rule.ts";

/** What may stand in a question for a number. */
export const COUNTED: readonly Concept[] = ["howMany", "total", "altogether"];
/** How people are told to be active. */
export const ACTIVE_USERS: readonly (readonly Concept[])[] = [
  ["activeUsers"],
  ...withEach([["userMany"]], eachOf("active", "use")),
  ["howMany", "userMany", "activity"],
  ["howMany", "userMany", "send", "thing"],
  ["howMany", "userMany", "send", "event"],
  ["howMany", "userMany", "seen"],
  ["howMany", "distinct", "userMany"],
];
export const ACTIVE_DAYS: readonly (readonly Concept[])[] = [
  ["activeDays"],
  ...withEach([["howMany", "dayNoun"]], eachOf("active", "use", "activity", "seen", "event", "usage")),
];
export const USERS: readonly Concept[] = ["userMany", "activeUsers"];
/** How the events of a feature are counted. */
export const FEATURE_EVENTS: readonly (readonly Concept[])[] = [
  ["howMany"],
  ["howOften"],
  ["event"],
  ["activity"],
  ["usage"],
  ["howMuch", "use"],
  ["total"],
];
/** How it is asked which features were used. */
export const FEATURES_USED: readonly (readonly Concept[])[] = [
  ["feature"],
  ["feature", "use"],
  ["listing", "feature"],
  ["what", "feature"],
  ["what", "use"],
  ["listing", "event"],
  ["whichEvents"],
  ["listing", "feature", "use"],
  ["popular", "feature"],
  ["popular", "event"],
  ["top", "event"],
];
/** Words that ask for something else than which. */
export const NOT_WHICH: readonly string[] = ["number", "count", "trend", "volume", "level"];

/** "How many invited users does it have": what there is, not how often it was done. */
export const isStock = ({ isSpoken, says, has }: Slots): boolean =>
  isSpoken && says("does", "do") && says("have") && !has("event");

/** DAU, WAU and MAU: the days that they are of, and of how many more they may be asked. */
export const PERIODS: readonly { concept: Concept; days: number; most: number }[] = [
  { concept: "dailyUsers", days: 1, most: 1 },
  { concept: "weeklyUsers", days: 7, most: 7 },
  { concept: "monthlyUsers", days: 28, most: 31 },
];

/** The latest such days, or those that are said, if they are as many. Of today alone little can be told yet. */
export function windowOfPeriod({ window, today }: Slots, days: number, most: number): AskWindow | null {
  if (window.phrase === null) {
    const to = days === 1 ? today - 1 : today;
    return { from: to - days + 1, to, phrase: null };
  }
  const length = window.to - window.from + 1;
  return length < days || length > most ? null : window;
}
