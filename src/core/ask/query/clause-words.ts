/** The words for filters: a clause for each kind of condition on each dimension. */
import type { Condition } from "./model.ts";

/** The words of a `Clause`: `auxiliary` and `base` ask, `one` states, and `whose` is the label that both are about. */
export interface ClauseWords {
  after: string;
  main: string | null;
  auxiliary: Auxiliary;
  base: string;
  one: string;
  whose?: string;
}
function clause(after: string, main: string | null, auxiliary: Auxiliary, base: string, one: string): ClauseWords {
  return { after, main, auxiliary, base, one };
}
const is = (text: string) => clause(text, `are ${text}`, "is", text, `is ${text}`);
const only = (text: string) => clause(text, null, "is", text, `is ${text}`);
const are = (text: string) => clause(`that are ${text}`, `are ${text}`, "is", text, `is ${text}`);
const were = (text: string) => clause(`that were ${text}`, `were ${text}`, "was", text, `was ${text}`);
const has = (text: string) => clause(`with ${text}`, `have ${text}`, "does", `have ${text}`, `has ${text}`);
const does = (base: string, one: string) => clause(one, base, "does", base, one);
const did = (base: string, past: string) => clause(`that ${past}`, past, "did", base, past);
/** Returns what happened once: "opened in October", "first seen today". */
const done = (text: string) => clause(text, `were ${text}`, "was", text, `was ${text}`);
const whose = (label: string, said: ClauseWords): ClauseWords => {
  return { ...said, after: `whose ${label} ${said.one}`, main: null, whose: label };
};

type Auxiliary = "is" | "was" | "does" | "did";
/** The kind of condition: on a text or code, a count, a share, another number, a date, a change, or an unknown value. */
type OfValue = "is" | "isNot" | "became" | "newly";
export type ClauseKind = OfValue | "count" | "percent" | "number" | "date" | "changed" | "unknown";
type ClauseTable = Partial<Readonly<Record<ClauseKind, ClauseWords>>>;

const openItem = (given: string, any: string): ClauseTable => ({
  is: has(`an open item ${given}`),
  isNot: { ...is(`without an open item ${given}`), one: `has no open item ${given}` },
  unknown: has(`{some} open item ${any}`),
});
const USE = did("use {v}", "used {v}");
const entity: ClauseTable = { is: are("{v}"), isNot: is("other than {v}") };
const state: ClauseTable = { is: are("{v}"), isNot: are("not {v}") };
const stated = (text: string): ClauseTable => ({ is: is(text), isNot: is(`not ${text}`) });

/** Clauses by dimension. If a dimension lacks one here, `CLAUSES_OF_TYPES` has it for the dimension's type. */
export const CLAUSES: Partial<Readonly<Record<string, ClauseTable>>> = {
  account: entity,
  user: entity,
  kind: state,
  stage: state,
  health: state,
  status: state,
  plan: {
    ...stated("on the {v} plan"),
    became: did("move to the {v} plan", "moved to the {v} plan"),
    newly: is("newly on the {v} plan"),
  },
  currency: stated("billed in {v}"),
  owner: stated("owned by {v}"),
  event: { is: USE, isNot: did("not use {v}", "did not use {v}") },
  "features.event": { is: USE, isNot: only("other than {v}") },
  active: { is: were("active"), isNot: were("not active"), unknown: has("{u} activity") },
  "features.active": { is: were("used"), isNot: were("not used") },
  seats: { number: has("{n} seats"), unknown: has("{u} number of seats") },
  score: { number: has("a {label} {a}") },
  features_used: { count: did("use {n} features", "used {n} features") },
  trial_ends: { date: whose("trial", does("end {d}", "ends {d}")) },
  contract_ends: { date: whose("contract", does("end {d}", "ends {d}")) },
  first_seen: { date: done("first seen {d}") },
  last_seen: { date: done("last active {d}") },
  opened: { date: done("opened {d}") },
  resolved: { date: done("resolved {d}") },
  dismissed: { date: done("dismissed {d}") },
  snoozed_until: { date: whose("snooze", does("end {d}", "ends {d}")) },
  "accounts.item_kind": openItem("of the kind {v}", "of any kind"),
  "accounts.severity": openItem("of {v} severity", "of any severity"),
  item_kind: stated("of the kind {v}"),
  severity: stated("of {v} severity"),
};

/** The same for ends in the past. */
export const ENDED: Partial<Readonly<Record<string, ClauseTable>>> = {
  trial_ends: { date: whose("trial", did("end {d}", "ended {d}")) },
  contract_ends: { date: whose("contract", did("end {d}", "ended {d}")) },
};

export const CLAUSES_OF_TYPES: Required<ClauseTable> = {
  became: did("become {v}", "became {v}"),
  newly: are("newly {v}"),
  is: has("the {label} {v}"),
  isNot: { ...is("without the {label} {v}"), one: "does not have the {label} {v}" },
  count: did("have {n} {label}", "had {n} {label}"),
  percent: did("have {label} {a}", "had {label} {a}"),
  number: has("{label} {a}"),
  date: whose("{label}", are("{d}")),
  changed: whose("{label}", did("{base}", "{c}")),
  unknown: has("{u} {label}"),
};
/** Changes of state that have a verb of their own. */
export const BECAME: Partial<Readonly<Record<string, ClauseWords>>> = {
  "stage churned": did("churn", "churned"),
  "stage trial": did("start a trial", "started a trial"),
  "health watch": did("go on watch", "went on watch"),
  "health insufficient_data": did("run out of data", "ran out of data"),
};

/** Clauses for labels of several words, and for true or false. */
export const LONG_LABEL: ClauseTable = {
  is: whose("{label}", are("{v}")),
  isNot: whose("{label}", are("not {v}")),
};
/** What follows a change: the value before it, and that it was the first one. */
export const AFTER = { plan: " after being on the {v} plan", other: " after being {v}" } as const;
export const FIRST = " for the first time";
/** Marks any change of several accounts: without it, people mean first customers, customers that churned, and new risks. */
export const SOME_TIME = " at some point";
export const CHANGES = { up: { base: "go up", c: "went up" }, down: { base: "go down", c: "went down" } } as const;
export const UNKNOWN = { u: "no known", some: "no" } as const;
export const KNOWN = { u: "a known", some: "an" } as const;

/** Numbers of things, other amounts, and days. */
export const BOUNDS = {
  is: { count: "exactly", amount: "of exactly", day: "on" },
  isNot: { count: "not exactly", amount: "other than" },
  over: { count: "more than", amount: "over" },
  under: { count: "fewer than", amount: "under" },
  from: { count: "at least", amount: "of at least", day: "on or after" },
  to: { count: "at most", amount: "of at most", day: "on or before" },
} as const satisfies Partial<Record<Condition, { count: string; amount: string; day?: string }>>;
