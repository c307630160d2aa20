/** The words of restated queries and of answers. `{…}` is a placeholder. */
import type { HealthState, Stage } from "../../health/model.ts";
import { isItemKind, KIND_NAMES } from "../../inbox/kind-names.ts";
import type { Find, Show } from "./model.ts";

export const NOUNS = {
  accounts: "accounts",
  users: "users",
  features: "features",
  items: "inbox items",
  events: "events",
} as const satisfies Record<Find, string>;

/** The words between a noun and the entity that it belongs to. */
export const PREPOSITIONS = { accounts: "of", users: "of", features: "for", items: "about", events: "from" } as const;

/** The same, if the noun follows what its events are measured by. */
export const MEASURED_PREPOSITIONS = { accounts: "at", users: "of" } as const;

/** Accounts of a stage or a kind, and items of a status, have nouns of their own. */
export const STAGE_NOUNS: Readonly<Record<string, string>> = {
  active: "customers",
  trial: "trial accounts",
  churned: "churned accounts",
} satisfies Record<Stage, string>;
export const KIND_ADJECTIVES: Readonly<Record<string, string>> = { company: "company", solo: "personal" };

/** The values of codes, in words that complete "is" or "are". Other values are written unchanged. */
const CODES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stage: { active: "customers", trial: "on trial" } satisfies Partial<Record<Stage, string>>,
  kind: { company: "company accounts", solo: "personal accounts" },
  health: {
    watch: "on watch",
    insufficient_data: "without enough data",
    churned: "scored as churned",
    stale: "scored as stale",
  } satisfies Partial<Record<HealthState, string>>,
};
export const codeWords = (dimension: string, code: string): string =>
  dimension === "item_kind" && isItemKind(code)
    ? uncapitalize(KIND_NAMES[code])
    : (CODES[dimension]?.[code] ?? code.replaceAll("_", " "));
/** The singular of nouns. */
export const ONE: ReadonlyMap<string, string> = new Map([
  ["customers", "a customer"],
  ["company accounts", "a company account"],
  ["personal accounts", "a personal account"],
]);

/** The labels of dimensions and measures in columns, orders and groups, if they differ from the names. */
export const LABELS: Partial<Readonly<Record<string, string>>> = {
  mrr: "MRR",
  arr: "ARR",
  mrr_lost: "MRR lost to churn and contraction",
  trial_ends: "trial end",
  contract_ends: "contract end",
  score: "health score",
  event: "feature",
  first_seen: "first day",
  last_seen: "last activity",
  active: "being active",
  kind: "kind of account",
  item_kind: "kind of item",
  opened: "opening day",
  resolved: "resolution day",
  dismissed: "dismissal day",
  snoozed_until: "end of the snooze",
};
export const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
export const WINDOWS = {
  last: "the last {n} {unit}",
  past: "the past {unit}",
  next: "the next {n} {unit}",
  all: "all time",
  anyTime: "at any time",
  /** For values at the end of a past window. */
  atEnd: " at the end of {when}",
  andAtEnd: " {when}, with the values at its end",
  asOf: " as of {day}",
} as const;

/** Orders, the highest first and the lowest first. */
export const ORDERS = {
  count: ["most {m}", "fewest {m}"],
  things: ["most {m}", "fewest {m}"],
  amount: ["highest {m}", "lowest {m}"],
  date: ["latest {m}", "earliest {m}"],
  text: ["{m} from Z to A", "{m} from A to Z"],
  change: ["most {m} gained", "most {m} lost"],
} as const;
export type OrderKind = keyof typeof ORDERS;
export const ORDERED = {
  byMeasure: ", {order} first",
  byOther: ", sorted by {order}",
  byCount: ", fewest first",
} as const;
/** Orders with a limit. */
export const TOPS = {
  count: ["had the most {m}", "had the fewest {m}"],
  things: ["have the most {m}", "have the fewest {m}"],
  amount: ["have the highest {m}", "have the lowest {m}"],
  date: ["have the latest {m}", "have the earliest {m}"],
  change: ["gained the most {m}", "lost the most {m}"],
} as const;
export const TOPS_OF_ONE = {
  ...TOPS,
  things: ["has the most {m}", "has the fewest {m}"],
  amount: ["has the highest {m}", "has the lowest {m}"],
  date: ["has the latest {m}", "has the earliest {m}"],
} as const;
export const COLUMNS = ", with their {columns}";
/** Words for aggregates. */
export const AGGREGATE_WORDS = { sum: "total {m}", average: "average {m}", median: "median {m}" } as const;
export const NUMBER_OF = "number of {m}";

export const COMPARED = {
  with: " compared with {what}",
  than: " than {what}",
  before: "the {n} {unit} before",
  unit: "the {unit} before",
  part: "as many days of the {unit} before",
  weekdays: "the same weekdays a week earlier",
  asManyDays: "as many days before",
} as const;

/** Questions for a measure that don't fit the forms of its kind: how many, or when. */
export const FORMS_OF_MEASURES: Partial<Readonly<Record<string, string>>> = {
  seats: "How many seats {do} {np} have{tail}?",
  account: "Which account {do} {np} belong to{tail}?",
  active_days: "On how many days {was} {np} active{tail}?",
  features_used: "How many features did {np} use{tail}?",
  first_seen: "When {was} {np} first seen{tail}?",
  last_seen: "When {was} {np} last active{tail}?",
  trial_ends: "When does the trial of {np} end{tail}?",
  contract_ends: "When does the contract of {np} end{tail}?",
};

/** The forms of questions, by what they show. `restate` fills their places, and `reader/restated` reads them. */
export const FORMS = {
  list: {
    all: "{np}{tail}",
    allWith: "{np} with their {m}{tail}",
    top: "Which {n} {np} {order}{tail}?",
    topOne: "Which one of the {np} {order}{tail}?",
  },
  count: {
    that: "How many {counted}{tail}?",
    all: "How many {many} are there{tail}?",
    per: "Number of {np} per {per}{tail}",
  },
  share: { of: "What share of {of} {part}{tail}?" },
  value: {
    is: "What is the {measured}{tail}?",
    had: "How many {m} did {np} have{tail}?",
    were: "How many {measured} were there{tail}?",
    events: "How many {np} were there{tail}?",
    per: "{measured} per {per}{tail}",
    top: "The {n} {per}s with the {order} {measured}{tail}",
    topOne: "The {per} with the {order} {measured}{tail}",
  },
  yes_no: {
    one: "{ask}{tail}?",
    oneAmong: "Is {head} among the {among}{tail}?",
    any: "Are there any {many}{tail}?",
    anyEvents: "Were there any {np}{tail}?",
    anyMeasured: "Were there any {measured}{tail}?",
    more: "Did {np} have {order} {m}{tail}?",
    moreEvents: "Were there {order} {measured}{tail}?",
    higher: "Is the {measured} {order}{tail}?",
  },
  when: { is: "When is the {m} of {np}{tail}?", changed: "When {ask}{tail}?" },
  why: { all: "Why is the health of {np} as it is{tail}?", one: "Why {ask}{tail}?" },
  summary: { of: "Tell me about {np}{tail}" },
} as const satisfies Record<Show, Record<string, string>>;
export const MOST = ["most", "fewest"] as const;
export const MORE = { more: ["more", "fewer"], higher: ["higher", "lower"] } as const;
export const AT_MOST = ", {n} at most";
/** Entities that have no name of their own. */
export const CALLED = { account: "the account {v}", user: "the user {v}", feature: "the feature {v}" } as const;
export const NAMED = "{nouns} called {names}";
export const TRAIT_OF = { account: "account trait {v}", user: "user trait {v}" } as const;

export const fillTemplate = (text: string, places: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, place: string) => places[place] ?? whole);

/** `a, b and c` */
export const joinWithAnd = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;

export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
export const uncapitalize = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
