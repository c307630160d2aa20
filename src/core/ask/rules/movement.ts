/** Which way something goes, whatever it is. */
import type { Concept } from "../lexicon/concept-words.ts";
import type { Slots } from "./rule.ts";

/** Words for which way something goes. */
export const MOVES: readonly (readonly Concept[])[] = [
  ["trend"],
  ["up"],
  ["down"],
  ["change", "activity"],
  ["change", "use"],
  ["change", "usage"],
  ["change", "event"],
  ["how", "activity", "doing"],
  ["more", "use"],
  ["more", "active"],
  ["more", "activity"],
  ["more", "event"],
];
/** What may stand in such a question. */
export const MOVED: readonly Concept[] = [
  "type",
  "trend",
  "up",
  "down",
  "or",
  "how",
  "howIs",
  "doing",
  "change",
  "activity",
  "usage",
  "event",
  "use",
  "active",
  "more",
  "send",
  "recorded",
  "lately",
  "yesNo",
  "listing",
  "what",
  "level",
];

/** "Is the growth slowing": which way something goes that is itself a movement. */
export const isUnclear = (has: Slots["has"]): boolean => has("up") && has("down") && !has("or") && !has("trend");

/** Whether it is asked for another thing than which way it goes, or it can't be told for what. */
export const isNoTrend = ({ has, says }: Slots): boolean => isUnclear(has) || says("than", "most", "highest");
