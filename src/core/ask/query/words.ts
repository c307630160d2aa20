/**
 * The words of the query language in English: queries are written with them, and questions are read by them. Of several
 * words for one thing, a restatement uses the first. `{…}` is a place to be filled.
 */
import type { HealthState, Stage } from "../../health/model.ts";
import { type ItemKind, SEVERITIES } from "../../inbox/model.ts";
import { type BuiltIn, ITEM_STATUSES } from "./dimensions.ts";
import type { Aggregate, Condition, Find, Measure, Unit } from "./model.ts";

type Words = readonly [string, ...string[]];

export const NOUNS: Readonly<Record<Find, Words>> = {
  accounts: ["accounts", "companies"],
  users: ["users", "people"],
  features: ["features"],
  items: ["inbox items", "notices"],
  events: ["events"],
};

/** How a noun and what it belongs to are joined. */
export const SCOPES: Readonly<Record<Find, string>> = {
  accounts: "of",
  users: "of",
  features: "for",
  items: "about",
  events: "from",
};

/** Accounts of a stage or a kind, and items of a status, have nouns of their own. */
export const STAGE_NOUNS: Readonly<Record<Stage, Words>> = {
  active: ["customers", "clients"],
  trial: ["trial accounts"],
  churned: ["churned accounts"],
};
export const KIND_ADJECTIVES: Readonly<Record<string, string>> = { company: "company", solo: "personal" };

/** The values of codes, as they complete "is" or "are". */
export const CODES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stage: { active: "customers", trial: "on trial", churned: "churned" } satisfies Record<Stage, string>,
  kind: { company: "company accounts", solo: "personal accounts" },
  health: {
    healthy: "healthy",
    watch: "on watch",
    at_risk: "at risk",
    insufficient_data: "without enough data",
    churned: "scored as churned",
    stale: "scored as stale",
  } satisfies Record<HealthState, string>,
  item_kind: {
    trial_ending_low_activity: "trial ending with low activity",
    trial_ending_ready: "trial ending well",
    trial_expired: "trial expired",
    never_activated: "never activated",
    usage_drop: "usage drop",
    slow_decline: "slow decline",
    gone_silent: "gone silent",
    key_user_quiet: "key user quiet",
    seats_nearly_full: "seats nearly full",
    usage_growth: "usage growth",
    feature_dropped: "feature dropped",
    contraction: "contraction",
    health_dropped: "health dropped",
    tracking_stopped: "tracking stopped",
  } satisfies Record<ItemKind, string>,
};
/** Of one account. */
export const ONE: ReadonlyMap<string, string> = new Map([
  ["customers", "a customer"],
  ["company accounts", "a company account"],
  ["personal accounts", "a personal account"],
]);

/** What dimensions and measures are called where they are shown, sorted by or grouped by. */
export const LABELS: Readonly<Record<BuiltIn | Measure, Words>> = {
  account: ["account"],
  kind: ["kind"],
  stage: ["stage"],
  plan: ["plan"],
  seats: ["seats"],
  mrr: ["MRR", "monthly recurring revenue"],
  arr: ["ARR", "annual recurring revenue"],
  currency: ["currency"],
  trial_ends: ["trial end"],
  health: ["health"],
  score: ["health score"],
  user: ["user"],
  event: ["feature"],
  first_seen: ["first day"],
  last_seen: ["last activity"],
  active: ["being active"],
  events: ["events"],
  active_days: ["active days"],
  active_users: ["active users"],
  active_accounts: ["active accounts"],
  features_used: ["features used"],
  seat_use: ["seat use"],
  adoption: ["adoption"],
  item_kind: ["kind of item"],
  severity: ["severity"],
  status: ["status"],
  opened: ["opening day"],
  resolved: ["resolution day"],
  dismissed: ["dismissal day"],
  snoozed_until: ["end of the snooze"],
};
/** The same where a measure is summed up over several. */
export const TOTALS: Partial<Readonly<Record<string, string>>> = {
  mrr: "total MRR",
  arr: "total ARR",
  seats: "total number of seats",
  score: "average health score",
};
export const PERIOD_WORDS: readonly string[] = ["day", "week", "month"];

/** A clause about what is found. `after` a noun; `ask` of one subject; `main` completes "How many accounts". */
export type ClauseWords =
  | { is: string }
  | { are: string }
  | { were: string }
  | { has: string }
  | { did: string; past: string }
  | { whose: string; verb: readonly [base: string, third: string]; rest: string };

/** What a clause says: a text or code, a number, a date, a change, or that a value is unknown. */
export type ClauseKind = "is" | "isNot" | "number" | "date" | "became" | "changed" | "unknown";
export type ClauseTable = Partial<Readonly<Record<ClauseKind, readonly [ClauseWords, ...ClauseWords[]]>>>;

const counted = (noun: string): ClauseTable => ({
  unknown: [{ has: `{u} number of ${noun}` }],
  number: [{ did: `have {n} ${noun}`, past: `had {n} ${noun}` }],
});
const shared = (noun: string): ClauseTable => ({ number: [{ did: `have ${noun} {a}`, past: `had ${noun} {a}` }] });

/** By dimension; what a dimension lacks here is said by its type (`CLAUSES_OF_TYPES`). */
export const CLAUSES: Partial<Readonly<Record<string, ClauseTable>>> = {
  account: { is: [{ are: "{v}" }], isNot: [{ is: "other than {v}" }, { is: "except {v}" }] },
  user: { is: [{ are: "{v}" }], isNot: [{ is: "other than {v}" }, { is: "except {v}" }] },
  kind: { is: [{ are: "{v}" }], isNot: [{ are: "not {v}" }] },
  stage: {
    is: [{ are: "{v}" }],
    isNot: [{ are: "not {v}" }],
    became: [{ did: "become {v}", past: "became {v}" }],
  },
  plan: {
    is: [{ is: "on the {v} plan" }],
    isNot: [{ is: "not on the {v} plan" }],
    became: [
      { did: "move to the {v} plan", past: "moved to the {v} plan" },
      { did: "switch to the {v} plan", past: "switched to the {v} plan" },
    ],
  },
  currency: { is: [{ is: "billed in {v}" }], isNot: [{ is: "not billed in {v}" }] },
  health: {
    is: [{ are: "{v}" }],
    isNot: [{ are: "not {v}" }],
    became: [{ did: "become {v}", past: "became {v}" }],
  },
  event: {
    is: [{ did: "use {v}", past: "used {v}" }],
    isNot: [{ did: "not use {v}", past: "did not use {v}" }],
  },
  seats: { number: [{ has: "{n} seats" }], unknown: [{ has: "{u} number of seats" }] },
  events: counted("events"),
  active_days: counted("active days"),
  active_users: counted("active users"),
  active_accounts: counted("active accounts"),
  features_used: { number: [{ did: "use {n} features", past: "used {n} features" }] },
  seat_use: shared("seat use"),
  adoption: shared("adoption"),
  trial_ends: {
    date: [
      { whose: "trial", verb: ["end", "ends"], rest: "{d}" },
      { whose: "trial", verb: ["expire", "expires"], rest: "{d}" },
    ],
  },
  first_seen: { date: [{ is: "first seen {d}" }] },
  last_seen: { date: [{ is: "last active {d}" }, { is: "last seen {d}" }] },
  opened: { date: [{ is: "opened {d}" }] },
  resolved: { date: [{ is: "resolved {d}" }] },
  dismissed: { date: [{ is: "dismissed {d}" }] },
  snoozed_until: { date: [{ whose: "snooze", verb: ["end", "ends"], rest: "{d}" }] },
  "accounts.item_kind": {
    is: [{ has: "an open item of the kind {v}" }],
    isNot: [{ is: "without an open item of the kind {v}" }],
  },
  "accounts.severity": {
    is: [{ has: "an open item of {v} severity" }],
    isNot: [{ is: "without an open item of {v} severity" }],
  },
  item_kind: { is: [{ is: "of the kind {v}" }], isNot: [{ is: "not of the kind {v}" }] },
  severity: { is: [{ is: "of {v} severity" }], isNot: [{ is: "not of {v} severity" }] },
  status: { is: [{ are: "{v}" }], isNot: [{ are: "not {v}" }] },
};

export const ACTIVE = { accounts: ["active", "not active"], features: ["used", "not used"] } as const;

/** `{label}` is the dimension's. Texts with a label of several words are said by `whose`. */
export const CLAUSES_OF_TYPES: ClauseTable = {
  is: [{ has: "the {label} {v}" }],
  isNot: [{ is: "without the {label} {v}" }],
  number: [{ has: "{label} {a}" }],
  date: [{ whose: "{label}", verb: ["be", "is"], rest: "{d}" }],
  changed: [{ whose: "{label}", verb: ["", ""], rest: "{c}" }],
  unknown: [{ has: "{u} {label}" }],
};
export const LONG_LABEL: ClauseTable = {
  is: [{ whose: "{label}", verb: ["be", "is"], rest: "{v}" }],
  isNot: [{ whose: "{label}", verb: ["be", "is"], rest: "not {v}" }],
};
export const CHANGES = { up: ["went up", "go up"], down: ["went down", "go down"] } as const;
export const UNKNOWN = ["no known", "a known"] as const;
export const BOOLEANS = ["true", "false"] as const;

type Bound = Extract<Condition, "is" | "isNot" | "over" | "under" | "from" | "to">;
/** Numbers of things, then other amounts, then days. */
export const COUNTS: Readonly<Record<Bound, Words>> = {
  is: ["exactly"],
  isNot: ["not exactly"],
  over: ["more than", "over"],
  under: ["fewer than", "under", "less than"],
  from: ["at least"],
  to: ["at most"],
};
export const AMOUNTS: Readonly<Record<Bound, Words>> = {
  is: ["of exactly"],
  isNot: ["other than"],
  over: ["over", "above", "of more than"],
  under: ["under", "below", "of less than"],
  from: ["of at least"],
  to: ["of at most"],
};
export const DAYS = { is: "on", from: "on or after", to: "on or before" } as const;
export const NONE = "no";

export const UNIT_WORDS: Readonly<Record<Unit, readonly [one: string, many: string]>> = {
  day: ["day", "days"],
  week: ["week", "weeks"],
  month: ["month", "months"],
  quarter: ["quarter", "quarters"],
  year: ["year", "years"],
};
export const MONTHS = [
  "January February March April May June",
  "July August September October November December",
].flatMap((half) => half.split(" "));
/** Windows: a calendar unit that goes on, and the one before it. */
export const THIS: Readonly<Record<Unit, Words>> = {
  day: ["today"],
  week: ["this week"],
  month: ["this month"],
  quarter: ["this quarter"],
  year: ["this year"],
};
export const PREVIOUS: Readonly<Record<Unit, Words>> = {
  day: ["yesterday"],
  week: ["last week"],
  month: ["last month"],
  quarter: ["last quarter"],
  year: ["last year"],
};
export const WINDOWS = {
  last: ["the last {n} {unit}", "the past {n} {unit}"],
  past: ["the past {unit}"],
  next: ["the next {n} {unit}"],
  all: ["all time"],
} as const satisfies Record<string, Words>;
export const AT_ANY_TIME = "at any time";
/** Of values in a past window. */
export const AT_END = " at the end of {w}";
export const AT_ITS_END = ", with the values at its end";
export const AS_OF = "as of {d}";

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

const GRAMMAR =
  "a an and any are be by did do does for from had has have in is it its not of on or our that the their was we were what when where which who whose why with".split(
    " ",
  );

const textsIn = (table: unknown): string[] => {
  if (typeof table === "string") return [table];
  return typeof table === "object" && table !== null ? Object.values(table).flatMap(textsIn) : [];
};
const TABLES = [
  SEVERITIES,
  ITEM_STATUSES,
  POLITE,
  NOUNS,
  SCOPES,
  STAGE_NOUNS,
  KIND_ADJECTIVES,
  CODES,
  [...ONE],
  LABELS,
  TOTALS,
  PERIOD_WORDS,
  CLAUSES,
  ACTIVE,
  CLAUSES_OF_TYPES,
  CHANGES,
  UNKNOWN,
  BOOLEANS,
  COUNTS,
  AMOUNTS,
  DAYS,
  NONE,
  UNIT_WORDS,
  MONTHS,
  THIS,
  PREVIOUS,
  WINDOWS,
  AT_ANY_TIME,
  AS_OF,
  ORDERS,
  ORDERED,
  TOPS,
  THEIR,
  COMPARED,
  HOW_MANY,
  WHEN,
  FORMS,
  MORE,
  HIGHER,
  AT_MOST,
  CALLED,
  TRAIT_OF,
];

/** Every word above, in lower case. A name that contains one is quoted in a restatement. */
export const VOCABULARY: ReadonlySet<string> = new Set([
  ...GRAMMAR,
  ...textsIn(TABLES).flatMap(
    (text) =>
      text
        .replaceAll(/\{\w+\}/g, " ")
        .toLowerCase()
        .match(/\p{L}+/gu) ?? [],
  ),
]);

/** Fills the places of a text. */
export const fill = (text: string, places: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, place: string) => places[place] ?? whole);
