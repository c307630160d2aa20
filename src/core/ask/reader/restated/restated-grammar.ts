/** Builds rules for the texts of the renderer from the renderer's own tables. */
import { ITEM_STATUSES } from "../../../inbox/model.ts";
import { BUILT_IN, type Dimension } from "../../query/dimensions.ts";
import { AGGREGATES, FINDS, MEASURES, PERIODS, type Show, SHOWS, UNITS } from "../../query/model.ts";
import { labelOf } from "../../query/display-names.ts";
import { NAMED_BY } from "../../query/noun-phrases.ts";
import { ENTITY_TYPES } from "../../query/subjects.ts";
import { AFTER, FIRST, SOME_TIME } from "../../query/clause-words.ts";
import * as words from "../../query/words.ts";
import type { QueryPart, Production } from "./template-parser.ts";
import { clauseProductions } from "./clause-grammar.ts";

/** Places for nouns with their clauses. */
const NOUN_PLACES = /\{(?:many|counted|head|among|part)\}/g;

/** Turns a form of questions into a rule. People leave out question marks. */
const asked = (form: string, show: Show, base: QueryPart = {}): Production => [
  form.replace(/\?$/, "").replaceAll(NOUN_PLACES, "{np}"),
  ({ order, ...part }) => {
    const { measure, per } = { ...part, ...base };
    const isOfAll = show === "when" && measure === undefined && part.window === undefined;
    const by = order?.by || (show === "yes_no" ? "change" : show === "count" ? per : measure) || "events";
    return {
      ...part,
      ...base,
      show,
      ...(isOfAll && { window: { all: true } }),
      ...(order && { order: { ...order, by } }),
    };
  },
];

/** Returns words for an order. Those without a measure are about the one of the question. */
const inOrder = ([kind, both]: readonly [kind: string, both: readonly [down: string, up: string]]): Production[] =>
  both.map((text, index) => [
    text,
    ({ measure = "" }) => ({
      ...(measure !== "" && { measure }),
      order: { by: kind === "change" ? kind : measure, direction: index === 0 ? "down" : "up" },
    }),
  ]);

const having = (dimension: string, is: string): QueryPart => ({ where: [{ dimension, is }] });

const BEFORE: QueryPart = { compare: { to: "before" } };

/** They may also match texts that aren't restatements: `readRestated` rejects those. */
const PHRASES: Readonly<Record<string, readonly Production[]>> = {
  question: [["{asked}"], ["{when}, {asked}"]],
  asked: [
    ...SHOWS.flatMap((show) =>
      Object.entries(words.FORMS[show]).map(([name, form]) => asked(form, show, name === "topOne" ? { limit: 1 } : {})),
    ),
    ...Object.entries(words.FORMS_OF_MEASURES).flatMap(([measure, form = ""]) =>
      (["value", "when"] as const).map((show) => asked(form, show, { measure })),
    ),
  ],
  np: [["{phrase} {np}"], ["{phrase}"]],
  phrase: [
    ...FINDS.flatMap((find): Production[] => [[words.NOUNS[find], { find }], [words.PREPOSITIONS[find]]]),
    [words.MEASURED_PREPOSITIONS.accounts],
    ...Object.entries(words.KIND_ADJECTIVES).map(([is, word]): Production => [word, having("kind", is)]),
    ...Object.entries(words.STAGE_NOUNS).map(([is, noun]): Production => [
      noun,
      { find: "accounts", ...having("stage", is) },
    ]),
    ...ITEM_STATUSES.map((is): Production => [is, having("status", is)]),
    ...(["accounts", "users", "features"] as const).map((find): Production => [
      `{values ${NAMED_BY[find]}}`,
      ({ values = [] }) => ({
        find,
        where: [{ dimension: NAMED_BY[find], ...(values.length > 1 ? { in: values } : { is: values[0] }) }],
      }),
    ]),
    ["called"],
    ["are"],
    ["{clause}"],
  ],
  of: [["{np}", ({ where = [], ...part }) => ({ ...part, of: where })]],
  was: [["was"], ["were"]],
  do: [["does"], ["do"]],
  measured: [
    ["{m}", { find: "accounts" }],
    ["{m}", { find: "events" }],
    ["{m} of {np}"],
    ["{m} {np}", (part) => ({ ...part, find: "events" })],
    ["{np}"],
  ],
  n: [["{number}", ({ values = [] }) => ({ limit: Number(values[0]) })]],
  m: [
    ["{measure}"],
    [words.NUMBER_OF],
    ...AGGREGATES.map((aggregate): Production => [words.AGGREGATE_WORDS[aggregate], { aggregate }]),
  ],
  order: [
    ...[words.ORDERS, words.TOPS, words.TOPS_OF_ONE, words.MORE].flatMap((orders) => Object.entries(orders)),
    ["most", words.MOST] as const,
  ].flatMap(inOrder),
  tail: [[""], ["{end}{tail}"]],
  end: [
    [","],
    [words.COLUMNS],
    [words.ORDERED.byMeasure],
    [words.ORDERED.byOther, ({ order }) => ({ ...(order && { order }) })],
    [words.ORDERED.byCount, { order: { by: "", direction: "up" } }],
    [words.AT_MOST],
    [" {when}"],
    [words.WINDOWS.atEnd],
    [words.WINDOWS.andAtEnd],
    [words.COMPARED.with],
    [words.COMPARED.than],
  ],
  columns: ["{measure}", "{measure}, {columns}", "{measure} and {columns}"].map((form) => [
    form,
    ({ measure = "", with: others = [] }) => ({ with: [measure, ...others] }),
  ]),
  own: [
    [""],
    [" {when}", ({ window }) => ({ own: { ...(window && { window }) } })],
    [words.WINDOWS.asOf, ({ values = [] }) => ({ own: { asOf: String(values[0]) } })],
    [`${SOME_TIME}{own}`],
    [`${FIRST}{own}`, ({ own }) => ({ own: { ...own, first: true } })],
    ...["plan", "stage", "health"].map((name): Production => [
      `${AFTER[name === "plan" ? name : "other"].replace("{v}", `{value ${name}}`)}{own}`,
      ({ own, values: [after = ""] = [] }) => ({ own: { ...own, after } }),
    ]),
  ],
  day: [["{when}", ({ window }) => ({ values: window && "from" in window ? [window.from] : [] })]],
  what: [
    ...[words.COMPARED.asManyDays, words.COMPARED.weekdays].map((text): Production => [text, BEFORE]),
    ...UNITS.flatMap((unit) =>
      [words.COMPARED.unit, words.COMPARED.part, words.COMPARED.before].map((text): Production => [
        text.replace("{unit}", text === words.COMPARED.before ? `${unit}s` : unit),
        () => BEFORE,
      ]),
    ),
    ["{when}", ({ window }) => (window === undefined ? {} : { compare: { to: window } })],
    ["{value account}", ({ values = [] }) => ({ compare: { to: { account: String(values[0]) } } })],
    ["{value user}", ({ values = [] }) => ({ compare: { to: { user: String(values[0]) } } })],
    ["{value event}", ({ values = [] }) => ({ compare: { to: { feature: String(values[0]) } } })],
  ],
};

const MEASURE_LABELS = [...new Set([...MEASURES, ...BUILT_IN.map(({ name }) => name)])].map(
  (name) => [labelOf(name, { dimensions: [] }), name] as const,
);

/** The rules for the values of a dimension: `text` is a terminal. */
const VALUES: Record<string, readonly Production[]> = {
  "values @": [["{value @}"], ["{value @} or {values @}"]],
  "value @": [["{text @}"]],
};
for (const { name, type, values = [] } of BUILT_IN as readonly Dimension[]) {
  const [entity, place] = [ENTITY_TYPES.get(name), `value ${name}`];
  if (entity !== undefined)
    VALUES[place] = [["{text @}"], [words.fillTemplate(words.CALLED[entity], { v: "{text @}" })]];
  if (type !== "code") continue;
  VALUES[place] = values.flatMap((code): Production[] => {
    const word = words.codeWords(name, code);
    return [word, words.ONE.get(word) ?? word].map((each) => [each, { values: [code] }]);
  });
}

/** By place. */
export const RESTATED_GRAMMAR: Readonly<Record<string, readonly Production[]>> = {
  ...PHRASES,
  ...clauseProductions(),
  ...VALUES,
  measure: [
    ...MEASURE_LABELS.map(([label, measure]): Production => [label, { measure }]),
    ["{trait}", ({ trait = "" }) => ({ measure: trait })],
  ],
  per: [
    ...[...PERIODS.map((each) => [each, each] as const), ...MEASURE_LABELS].map(([label, per]): Production => [
      label,
      { per },
    ]),
    ["{trait}", ({ trait = "" }) => ({ per: trait })],
  ],
};
