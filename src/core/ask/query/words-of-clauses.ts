/** How filters are said: a clause for each kind of condition on each dimension. */
import type { Condition } from "./model.ts";
import type { Words } from "./words.ts";

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
