/** Builds rules for the texts of the renderer from the renderer's own tables. */
import { HEALTH_STATES } from "../../../health/model.ts";
import { ITEM_STATUSES } from "../../../inbox/model.ts";
import type { Dimension } from "../../query/dimensions.ts";
import { AGGREGATES, FINDS, type Find, MEASURES, PERIODS, type Show, SHOWS } from "../../query/model.ts";
import { labelOf } from "../../query/display-names.ts";
import { ENTITY_TYPES } from "../../query/subjects.ts";
import * as words from "../../query/words.ts";
import { cached } from "../words/mentions.ts";
import type { Part, Production } from "./grammar.ts";
import { clauseRules } from "./restated-clauses.ts";

/** Turns a form of questions into a rule. People leave out question marks. */
const asked = (form: string, base: Part): Production => [
  form.replace(/\?$/, ""),
  ({ n, order, ...part }) => {
    const counted = base.show === "count" ? part.per : part.measure;
    return {
      ...part,
      ...base,
      ...(n !== undefined && { limit: n }),
      ...(order && { order: { ...order, by: order.by === "" ? (counted ?? "events") : order.by } }),
    };
  },
];
const askedFor = (show: Show, forms: Partial<Readonly<Record<string, string>>>): Production[] =>
  Object.entries(forms).map(([measure, form = ""]) => asked(form, { show, measure }));

/** Words for the highest first and for the lowest first. Without `by`: by the measure in them. */
const inOrder = (both: readonly [down: string, up: string], by?: string): Production[] =>
  both.map((text, place) => [
    text,
    ({ measure = "" }) => ({
      ...(measure !== "" && { measure }),
      order: { by: by ?? measure, direction: place === 0 ? "down" : "up" },
    }),
  ]);
const ordered = (orders: Readonly<Record<string, readonly [string, string]>>): Production[] =>
  Object.entries(orders).flatMap(([kind, both]) => inOrder(both, kind === "change" ? kind : undefined));

const having = (dimension: string, is: string): Part => ({ where: [{ dimension, is }] });

/** Names, or `accounts called Acme`. */
function namesOf(find: Find, dimension: string): Production[] {
  const names = `{values ${dimension}}`;
  return [names, words.fill(words.NAMED, { nouns: words.NOUNS[find], names })].map((form) => [
    form,
    ({ values = [] }) => ({ where: [{ dimension, ...(values.length > 1 ? { in: values } : { is: values[0] }) }] }),
  ]);
}

/** What a query finds, without its clauses. */
const HEADS: Readonly<Record<Find, readonly Production[]>> = {
  accounts: [["{kind}{stage}"], ...namesOf("accounts", "account")],
  users: [[words.NOUNS.users], ...namesOf("users", "user")],
  features: [[words.NOUNS.features], ...namesOf("features", "event")],
  items: [
    [words.NOUNS.items],
    ...ITEM_STATUSES.map((status): Production => [`${status} ${words.NOUNS.items}`, having("status", status)]),
  ],
  events: ["", " of {features}"].flatMap((of): Production[] => [[`events${of}`], [`events${of} other than {other}`]]),
};

/** The rules that are the same in every workspace. */
const STATIC: Readonly<Record<string, readonly Production[]>> = {
  question: [["{asked}"], ["{when}, {asked}"]],
  asked: [
    ...SHOWS.flatMap((show) =>
      Object.entries(words.FORMS[show]).map(([name, form]) =>
        asked(form, { show, ...(name === "topOne" && { limit: 1 }) }),
      ),
    ),
    ...askedFor("value", words.HOW_MANY),
    ...askedFor("when", words.WHEN),
  ],
  ...HEADS,
  head: FINDS.flatMap((find) =>
    [`{${find}}`, `{${find}} ${words.SCOPES[find]} {np}`].map((form): Production => [
      form,
      (part) => ({ ...part, find }),
    ]),
  ),
  np: [["{head}{clauses}"]],
  clauses: [[" {clause}{clauses}"], [""]],
  main: [["{main clause}"], ["are {np}"]],
  of: [["{np}", ({ find, where = [] }) => ({ ...(find && { find }), of: where })]],
  many: FINDS.map((find) => [words.NOUNS[find]]),
  rest: [["{clause}{clauses}"]],
  state: HEALTH_STATES.map((is) => [words.codeWords("health", is), having("health", is)]),
  was: [["was"], ["were"]],
  measured: [["{m}", { find: "accounts" }], ["{m} of {np}"], ["{np}"]],
  m: [
    ["{label}", ({ name = "" }) => ({ measure: name })],
    ...AGGREGATES.flatMap((aggregate) =>
      ["{label}", words.fill(words.NUMBER_OF, { m: "{label}" })].map((m): Production => [
        words.fill(words.AGGREGATE_WORDS[aggregate], { m }),
        ({ name = "" }) => ({ measure: name, aggregate }),
      ]),
    ),
  ],
  per: [...PERIODS.map((per): Production => [per, { per }]), ["{label}", ({ name = "" }) => ({ per: name })]],
  top: ordered(words.TOPS),
  order: ordered(words.ORDERS),
  most: inOrder(words.MOST),
  more: inOrder(words.MORE, "change"),
  higher: inOrder(words.HIGHER, "change"),
  tail: [["{columns}{sorted}{at most}{time}{than}"]],
  columns: [[""], [words.fill(words.COLUMNS, { m: "{list}" })]],
  list: ["{m}", "{m}, {list}", "{m} and {list}"].map((form) => [
    form,
    ({ measure = "", with: others = [] }) => ({ with: [measure, ...others] }),
  ]),
  sorted: [
    [""],
    [words.ORDERED.byMeasure],
    [words.ORDERED.byOther, ({ order }) => ({ ...(order && { order }) })],
    [words.ORDERED.byCount, { order: { by: "", direction: "up" } }],
  ],
  "at most": [[""], [words.AT_MOST]],
  time: ["", " {when}", words.fill(words.WINDOWS.atEnd, { w: "{when}" }), ` {when}${words.WINDOWS.atItsEnd}`].flatMap(
    (form): Production[] => [[form], [`,${form}`]],
  ),
  own: [
    [""],
    [" {when}", ({ window }) => ({ own: { ...(window && { window }) } })],
    [words.fill(words.WINDOWS.asOf, { d: "{day}" }), ({ day = "" }) => ({ own: { asOf: day } })],
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
  kind: [
    [""],
    ...Object.entries(words.KIND_ADJECTIVES).map(([is, word]): Production => [`${word} `, having("kind", is)]),
  ],
  stage: [
    [words.NOUNS.accounts],
    ...Object.entries(words.STAGE_NOUNS).map(([is, noun]): Production => [noun, having("stage", is)]),
  ],
  other: [["{value event}", ({ values = [] }) => ({ where: [{ dimension: "event", isNot: values[0] }] })]],
};

/** All rules of a workspace: those above, and those for its clauses, labels and values. */
export const rulesOf = cached((dimensions: readonly Dimension[]): Readonly<Record<string, readonly Production[]>> => {
  const names = [...new Set([...MEASURES, ...dimensions.map(({ name }) => name)])];
  const rules: Record<string, readonly Production[]> = {
    ...STATIC,
    ...clauseRules(dimensions),
    label: names.map((name) => [labelOf(name, { dimensions }), { name }]),
  };
  for (const dimension of dimensions) {
    const value = `value ${dimension.name}`;
    rules[value] = valueRules(dimension);
    rules[`values ${dimension.name}`] = [[`{${value}}`], [`{${value}} or {values ${dimension.name}}`]];
  }
  return rules;
});

function valueRules({ name, type, values = [] }: Dimension): Production[] {
  const text = `{text ${name}}`;
  const entity = ENTITY_TYPES.get(name);
  if (entity !== undefined) return [[text], [words.fill(words.CALLED[entity], { v: text })]];
  if (type !== "code") return [[text]];
  return values.flatMap((code) => {
    const word = words.codeWords(name, code);
    return [word, words.ONE.get(word) ?? word].map((each): Production => [each, { values: [code] }]);
  });
}
