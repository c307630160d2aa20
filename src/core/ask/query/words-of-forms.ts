/** The forms of questions, and how orders and comparisons are said in them. */
import type { Aggregate, Measure } from "./model.ts";
import type { Words } from "./words.ts";

/** Orders, the highest first and the lowest first. */
export const ORDERS = {
  count: ["most {m}", "fewest {m}"],
  amount: ["highest {m}", "lowest {m}"],
  date: ["latest {m}", "earliest {m}"],
  text: ["{m} from Z to A", "{m} from A to Z"],
  change: ["most {m} gained", "most {m} lost"],
} as const;
export const ORDERED = { byMeasure: ", {order} first", byOther: ", sorted by {order}" } as const;
/** With a limit. */
export const TOPS = {
  count: ["had the most {m}", "had the fewest {m}"],
  amount: ["have the highest {m}", "have the lowest {m}"],
  date: ["have the latest {m}", "have the earliest {m}"],
  change: ["gained the most {m}", "lost the most {m}"],
} as const;
export const THEIR = " with their {m}";
export const COLUMNS = ", with their {m}";
/** How the values of several come to one. */
export const AGGREGATE_WORDS: Readonly<Record<Aggregate, string>> = {
  sum: "total {m}",
  average: "average {m}",
  median: "median {m}",
};
export const NUMBER_OF = "number of {m}";

export const COMPARED = {
  with: " compared with {what}",
  than: " than {what}",
  before: ["as many days before", "the {n} {unit} before"],
} as const;

/** How many there were of a measure; `{did}` and `{was}` go with the subject. */
export const HOW_MANY: Readonly<Partial<Record<Measure, Words>>> = {
  events: ["How many events did {np} have{tail}?", "Number of events of {np}{tail}"],
  active_users: ["How many active users did {np} have{tail}?", "Number of active users of {np}{tail}"],
  active_accounts: ["How many active accounts did {np} have{tail}?", "Number of active accounts of {np}{tail}"],
  active_days: ["On how many days {was} {np} active{tail}?", "Number of active days of {np}{tail}"],
  features_used: ["How many features did {np} use{tail}?", "Number of features used by {np}{tail}"],
};
/** The moments that are asked for by "when". */
export const WHEN: Readonly<Record<string, Words>> = {
  first_seen: ["When {was} {np} first seen{tail}?", "Since when do we know {np}{tail}?"],
  last_seen: ["When {was} {np} last active{tail}?", "When {was} {np} last seen{tail}?"],
  trial_ends: ["When does the trial of {np} end{tail}?", "When does the trial of {np} expire{tail}?"],
  other: ["When is the {m} of {np}{tail}?"],
  change: ["When did {np} {did}{tail}?"],
};

/** The forms of questions. `{tail}` has the order, the limit, the window and the comparison. */
export const FORMS = {
  list: ["{np}{tail}", "List {np}{tail}", "Show me {np}{tail}"],
  first: ["The first {n} {np}{tail}"],
  top: ["Which {n} {np} {top}{tail}?", "Show me which {n} {np} {top}{tail}"],
  topOne: ["Which one of the {np} {top}{tail}?"],
  count: ["How many {np} {main}{tail}?"],
  countThere: ["How many {np} are there{tail}?", "Number of {np}{tail}", "Count {np}{tail}"],
  countOne: ["Number of {np}{tail}"],
  countPer: ["Number of {np} per {per}{tail}", "How many {np} are there per {per}{tail}?"],
  value: ["What is the {m} of {np}{tail}?", "Show me the {m} of {np}{tail}"],
  valueOfAll: ["What is the {m}{tail}?", "Show me the {m}{tail}"],
  valuePer: ["{m} of {np} per {per}{tail}", "Show me the {m} of {np} per {per}{tail}"],
  valuePerOfAll: ["{m} per {per}{tail}", "Show me the {m} per {per}{tail}"],
  share: ["What share of {of} {main}{tail}?", "Which percentage of {of} {main}{tail}?"],
  events: ["How many {np} were there{tail}?", "Number of {np}{tail}", "Count {np}{tail}"],
  eventsPer: ["{np} per {per}{tail}", "Show me {np} per {per}{tail}"],
  topPeriod: ["The {per} with the {most} {np}{tail}", "Which {per} had the {most} {np}{tail}?"],
  topPeriods: ["The {n} {per}s with the {most} {np}{tail}", "Which {n} {per}s had the {most} {np}{tail}?"],
  involved: ["How many {m} did {np} involve{tail}?", "Number of {m} in {np}{tail}"],
  involvedPer: ["{m} in {np} per {per}{tail}", "Show me {m} in {np} per {per}{tail}"],
  anyOne: ["Is there {np}{tail}?", "Do we have {np}{tail}?"],
  any: ["Are there any {np}{tail}?", "Do we have any {np}{tail}?"],
  anyEvents: ["Were there any {np}{tail}?", "Did we get any {np}{tail}?"],
  anyInvolved: ["Did {np} involve any {m}{tail}?", "Were there any {m} in {np}{tail}?"],
  among: ["Is {one} among the {many} {rest}{tail}?", "Is {one} one of the {many} {rest}{tail}?"],
  more: ["Did {np} have {more} {m}{tail}?", "Were the {m} of {np} {more}{tail}?"],
  moreEvents: ["Were there {more} {np}{tail}?", "Did we get {more} {np}{tail}?"],
  moreInvolved: ["Did {np} involve {more} {m}{tail}?", "Were there {more} {m} in {np}{tail}?"],
  higher: ["Is the {m} of {np} {higher}{tail}?", "Do {np} have a {higher} {m}{tail}?"],
  why: ["Why is the health of {np} as it is{tail}?", "What explains the health of {np}{tail}?"],
  whyState: ["Why is {np} {state}{tail}?"],
  summary: ["Tell me about {np}{tail}", "Give me a summary of {np}{tail}", "How is {np} doing{tail}?"],
} as const satisfies Record<string, Words>;
/** Around a question, without a meaning. */
export const POLITE = { before: "Hello, ", after: " Thanks!", please: ", please" } as const;
export const MOST = ["most", "fewest"] as const;
export const MORE = ["more", "fewer"] as const;
export const HIGHER = ["higher", "lower"] as const;
export const AT_MOST = ", {n} at most";
/** Entities that have no name of their own. */
export const CALLED = { account: "the account {v}", user: "the user {v}", feature: "the feature {v}" } as const;
export const TRAIT_OF = { account: "account trait {v}", user: "user trait {v}" } as const;
