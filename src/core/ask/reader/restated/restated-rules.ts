/** Builds rules for the texts of the renderer from the renderer's own tables. */
import { HEALTH_STATES } from "../../../health/model.ts";
import { type Dimension, ITEM_STATUSES } from "../../query/dimensions.ts";
import { labelOf } from "../../query/display-names.ts";
import { AGGREGATES, type Find, FINDS, MEASURES, PERIODS } from "../../query/model.ts";
import * as words from "../../query/words.ts";
import { cached } from "../words/mentions.ts";
import type { Part, Rule } from "./grammar.ts";
import { clauseRules } from "./restated-clauses.ts";

const { FORMS } = words;
const SHOWN: readonly (readonly [forms: readonly string[], part: Part])[] = [
  [[FORMS.list, FORMS.list.replace("{np}", `{np}${words.THEIR}`), FORMS.top], { show: "list" }],
  [[FORMS.topOne], { show: "list", limit: 1 }],
  [[FORMS.count, FORMS.countThere, FORMS.countPer], { show: "count" }],
  [[FORMS.share], { show: "share" }],
  [[FORMS.value, FORMS.valuePer, FORMS.howMany, FORMS.events, FORMS.topPeriods], { show: "value" }],
  ...Object.entries(words.HOW_MANY).map(([measure, form = ""]) => [[form], { show: "value", measure }] as const),
  [[FORMS.topPeriod], { show: "value", limit: 1 }],
  [["{ask}{tail}", FORMS.among, FORMS.any, FORMS.anyEvents, FORMS.anyOfEvents], { show: "yes_no" }],
  [[FORMS.more, FORMS.higher], { show: "yes_no" }],
  [[FORMS.moreEvents], { show: "yes_no", measure: "events" }],
  ...Object.entries(words.WHEN).map(([measure, form = ""]) => [[form], { show: "when", measure }] as const),
  [[FORMS.when, FORMS.whenChanged], { show: "when" }],
  [[FORMS.why, FORMS.whyState], { show: "why" }],
  [[FORMS.summary], { show: "summary" }],
];

const asked =
  (base: Part) =>
  ({ n, order, ...part }: Part): Part => ({
    ...part,
    ...base,
    ...(n !== undefined && { limit: n }),
    ...(order && { order: { ...order, by: order.by === "" ? (part.measure ?? "events") : order.by } }),
  });

const forEach = (place: string): Rule[] => FINDS.map((find) => [`{${place} ${find}}`]);
/** Words for the highest first and for the lowest first. Without `by`: by the measure in them. */
const inOrder = ([down, up]: readonly [string, string], by?: string): Rule[] =>
  (
    [
      [down, "down"],
      [up, "up"],
    ] as const
  ).map(([text, direction]) => [
    text,
    ({ measure = "" }) => ({ ...(measure !== "" && { measure }), order: { by: by ?? measure, direction } }),
  ]);
const ordered = (orders: Readonly<Record<string, readonly [string, string]>>): Rule[] =>
  Object.entries(orders).flatMap(([kind, both]) => inOrder(both, kind === "change" ? kind : undefined));
const state = (dimension: string, is: string): Part => ({ where: [{ dimension, is }] });

/** The rules that are the same in every workspace. */
export const STATIC: Readonly<Record<string, readonly Rule[]>> = {
  question: [["{asked}"], ["{when}, {asked}"]],
  asked: SHOWN.flatMap(([forms, base]) => forms.map((form): Rule => [form.replace(/\?$/, ""), asked(base)])),
  np: forEach("np"),
  one: forEach("head"),
  main: [...forEach("main"), ["are {np}"]],
  ask: forEach("ask"),
  did: forEach("ask"),
  of: [["{np}", ({ find, where = [] }) => ({ ...(find && { find }), of: where })]],
  many: FINDS.map((find) => [words.NOUNS[find]]),
  rest: FINDS.map((find) => [`{clause ${find}}{clauses ${find}}`]),
  state: HEALTH_STATES.map((is) => [words.codeWords("health", is), state("health", is)]),
  was: [["was"], ["were"]],
  measured: [["{m}", { find: "accounts" }], ["{m} of {np}"], ["{np}"]],
  m: [
    ["{label}", ({ name = "" }) => ({ measure: name })],
    ...AGGREGATES.flatMap((aggregate) =>
      ["{label}", words.NUMBER_OF.replace("{m}", "{label}")].map((label): Rule => [
        words.AGGREGATE_WORDS[aggregate].replace("{m}", label),
        ({ name = "" }) => ({ measure: name, aggregate }),
      ]),
    ),
  ],
  per: [...PERIODS.map((per): Rule => [per, { per }]), ["{label}", ({ name = "" }) => ({ per: name })]],
  top: ordered(words.TOPS),
  order: ordered(words.ORDERS),
  most: inOrder(words.MOST, ""),
  more: inOrder(words.MORE, "change"),
  higher: inOrder(words.HIGHER, "change"),
  tail: [["{columns}{sorted}{at most}{time}{than}"]],
  columns: [[""], [words.COLUMNS.replace("{m}", "{list}")]],
  list: ["{m}", "{m}, {list}", "{m} and {list}"].map((form) => [
    form,
    ({ measure = "", with: others = [] }) => ({ with: [measure, ...others] }),
  ]),
  sorted: [[""], [words.ORDERED.byMeasure], [words.ORDERED.byOther, ({ order }) => ({ ...(order && { order }) })]],
  "at most": [[""], [words.AT_MOST]],
  time: ["", " {when}", words.WINDOWS.atEnd.replace("{w}", "{when}"), ` {when}${words.WINDOWS.atItsEnd}`].flatMap(
    (form): Rule[] => [[form], [`,${form}`]],
  ),
  own: [
    [""],
    [" {when}", ({ window }) => ({ own: { ...(window && { window }) } })],
    [words.WINDOWS.asOf.replace("{d}", "{day}"), ({ day = "" }) => ({ own: { asOf: day } })],
  ],
  than: [[""], [words.COMPARED.with], [words.COMPARED.than]],
  what: [
    [words.COMPARED.asManyDays, () => ({ compare: { to: "before" } })],
    [words.COMPARED.before, () => ({ compare: { to: "before" } })],
    ["{when}", ({ window }) => (window === undefined ? {} : { compare: { to: window } })],
    ["{value account}", ({ values = [] }) => ({ compare: { to: { account: String(values[0]) } } })],
    ["{value user}", ({ values = [] }) => ({ compare: { to: { user: String(values[0]) } } })],
    ["{value event}", ({ values = [] }) => ({ compare: { to: { feature: String(values[0]) } } })],
  ],
  "bare accounts": [["{kind}{stage}"], ...namesOf("accounts", "account")],
  kind: [[""], ...Object.entries(words.KIND_ADJECTIVES).map(([is, word]): Rule => [`${word} `, state("kind", is)])],
  stage: [
    [words.NOUNS.accounts],
    ...Object.entries(words.STAGE_NOUNS).map(([is, noun]): Rule => [noun, state("stage", is)]),
  ],
  "bare users": [[words.NOUNS.users], ...namesOf("users", "user")],
  "bare features": [[words.NOUNS.features], ...namesOf("features", "event")],
  "bare items": [
    [words.NOUNS.items],
    ...ITEM_STATUSES.map((status): Rule => [`${status} ${words.NOUNS.items}`, state("status", status)]),
  ],
  "bare events": ["", " other than {other}"].flatMap((other): Rule[] => [
    [`events${other}`],
    [`events of {bare features}${other}`],
  ]),
  other: [["{value event}", ({ values = [] }) => ({ where: [{ dimension: "event", isNot: values[0] }] })]],
  "value account": called("account", "account"),
  "value user": called("user", "user"),
  "value event": called("event", "feature"),
  ...Object.fromEntries(
    FINDS.flatMap((find) => [
      [`np ${find}`, [[`{head ${find}}{clauses ${find}}`]]],
      [`head ${find}`, headsOf(find)],
      [`clauses ${find}`, [[` {clause ${find}}{clauses ${find}}`], [""]]],
    ]),
  ),
};

function headsOf(find: Find): Rule[] {
  const scopes =
    find === "accounts" ? [] : ["accounts", "users"].map((scope) => ` ${words.SCOPES[find]} {np ${scope}}`);
  return [...scopes, ""].map((scope): Rule => [`{bare ${find}}${scope}`, (part) => ({ ...part, find })]);
}

/** A name, or `accounts called Acme`. */
function namesOf(find: Find, dimension: string): Rule[] {
  const noun = words.NAMED.replace("{nouns}", words.NOUNS[find]).replace("{names}", "");
  return ["", noun].map((before) => [
    `${before}{values ${dimension}}`,
    ({ values = [] }) => ({ where: [{ dimension, ...(values.length > 1 ? { in: values } : { is: values[0] }) }] }),
  ]);
}

function called(dimension: string, type: keyof typeof words.CALLED): Rule[] {
  return [[`{text ${dimension}}`], [words.CALLED[type].replace("{v}", `{text ${dimension}}`)]];
}

/** The rules of a workspace: clauses, labels and values. */
export const rulesOf = cached((dimensions: readonly Dimension[]): Readonly<Record<string, readonly Rule[]>> => {
  const names = [...new Set([...MEASURES, ...dimensions.map(({ name }) => name)])];
  const rules: Record<string, readonly Rule[]> = {
    label: names.map((name) => [labelOf(name, { dimensions }), { name }]),
  };
  for (const find of FINDS) Object.assign(rules, clauseRules(find, dimensions));
  for (const { name, type, values = [] } of dimensions) {
    rules[`values ${name}`] = [[`{value ${name}}`], [`{value ${name}} or {values ${name}}`]];
    if (type === "code")
      rules[`value ${name}`] = values.flatMap((code) => {
        const word = words.codeWords(name, code);
        return [word, words.ONE.get(word) ?? word].map((each): Rule => [each, { values: [code] }]);
      });
    else if (type === "text") rules[`value ${name}`] = [[`{text ${name}}`]];
  }
  return rules;
});
