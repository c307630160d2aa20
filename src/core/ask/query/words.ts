/**
 * The words of the query language in English: queries are written with them, and questions are read by them. Of several
 * words for one thing, a restatement uses the first. `{…}` is a place to be filled.
 */
import type { HealthState, Stage } from "../../health/model.ts";
import type { ItemKind } from "../../inbox/model.ts";
import type { BuiltIn } from "./dimensions.ts";
import type { Find, Measure, Unit } from "./model.ts";

export type Words = readonly [string, ...string[]];

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

/** Fills the places of a text. */
export const fill = (text: string, places: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, place: string) => places[place] ?? whole);
