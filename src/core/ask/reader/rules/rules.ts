/** The rules that combine pieces that stand together. */
import * as bounds from "./bounds.ts";
import * as choices from "./choices.ts";
import * as comparisons from "./comparisons.ts";
import * as negations from "./negations.ts";
import * as only from "./only.ts";
import type { Rule } from "./rewrite.ts";
import * as states from "./states.ts";
import * as times from "./times.ts";
import * as uses from "./uses.ts";
import * as values from "./values.ts";

/** Applied in this order. Negations follow bounds, because a negation may stand before a bound. */
export const RULES: readonly Rule[] = [
  // Names and values
  uses.otherDeed,
  uses.usedBy,
  uses.dropped,
  uses.received,
  bounds.money,
  values.summarized,
  values.whoseTrial,
  values.whichEndDate,
  values.firstOf,
  values.pronounForNoun,
  values.newTo,
  values.nounBesideName,
  values.allItems,
  values.timeOfEvent,
  values.named,
  choices.thisOrThat,
  values.sideBySide,
  values.ofActiveAccounts,
  values.everyoneAt,
  values.listedUsers,
  values.withActivity,
  values.withNumber,
  values.withAccounts,
  values.joined,
  values.bothOf,
  values.countPerState,
  states.newState,
  states.lostMoney,
  states.lostWhat,
  states.fromTo,
  states.moved,
  choices.choiceOfValue,
  states.sinceWhen,
  states.wentSilent,
  states.latestState,
  states.withChurned,
  states.churnedEver,
  states.goingOn,
  states.changedIn,
  // Numbers and comparisons
  comparisons.severalFigures,
  comparisons.moreActive,
  bounds.moreThanThen,
  bounds.openFor,
  comparisons.seatsCompared,
  comparisons.seatsUnused,
  comparisons.seatsChanged,
  bounds.activeOn,
  bounds.activeUsers,
  comparisons.shareOfActive,
  states.ever,
  bounds.within,
  bounds.bounded,
  bounds.countedNouns,
  bounds.timesDone,
  only.onlyEvents,
  comparisons.boundAsCount,
  only.only,
  only.sized,
  comparisons.unbounded,
  comparisons.mostly,
  comparisons.hasMost,
  comparisons.mostOf,
  comparisons.moreOf,
  // Times
  states.asOfDay,
  times.rangeOfDays,
  times.renewed,
  times.listedTimes,
  times.onEach,
  times.eachOf,
  times.sameTime,
  // Negations and uses
  negations.negationBeforeSubject,
  negations.noneOf,
  negations.unknownValue,
  negations.excluded,
  negations.negated,
  uses.accountsUsing,
  uses.used,
  uses.champion,
  negations.usedBefore,
];
