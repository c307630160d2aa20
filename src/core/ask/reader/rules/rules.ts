/** The rules that combine pieces that stand together. */
import type { Rule } from "../fragments/pieces.ts";
import {
  activeOn,
  activeUsers,
  bounded,
  countedNouns,
  money,
  moreThanThen,
  openFor,
  timesDone,
  within,
} from "./bounds.ts";
import { chosen, either } from "./choices.ts";
import {
  counted,
  countedTwice,
  moreActive,
  moreOf,
  mostOf,
  seatsChanged,
  seatsCompared,
  shareOfActive,
  unbounded,
} from "./comparisons.ts";
import { excluded, lapsed, negated, turned, unknown } from "./negations.ts";
import { only, onlyEvents, sized } from "./only.ts";
import { ever, fromTo, moved, sinceWhen } from "./states.ts";
import { eachOf, listedTimes, sameTime } from "./times.ts";
import { champion, used } from "./uses.ts";
import { calledSo, eachState, ends, firstOf, joined, latest, named, newTo, summarized, they } from "./values.ts";

/** All rules, applied in this order. Negations come last, because one may stand before a bound. */
export const RULES: readonly Rule[] = [
  // Names and values
  money,
  summarized,
  ends,
  firstOf,
  they,
  newTo,
  calledSo,
  latest,
  named,
  either,
  joined,
  eachState,
  fromTo,
  moved,
  chosen,
  sinceWhen,
  // Numbers and comparisons
  countedTwice,
  moreActive,
  moreThanThen,
  openFor,
  seatsCompared,
  seatsChanged,
  activeOn,
  activeUsers,
  shareOfActive,
  ever,
  within,
  bounded,
  countedNouns,
  timesDone,
  onlyEvents,
  counted,
  only,
  sized,
  unbounded,
  mostOf,
  moreOf,
  // Times
  listedTimes,
  eachOf,
  sameTime,
  // Negations and uses
  turned,
  unknown,
  excluded,
  negated,
  used,
  champion,
  lapsed,
];
