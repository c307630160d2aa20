/**
 * Rules for clauses. The renderer writes sample filters; the values of the samples, and the labels of traits, are then
 * replaced by places.
 */
import { BUILT_IN, type Dimension, type DimensionType } from "../../query/dimensions.ts";
import type { Conditions } from "../../query/model.ts";
import { BECAME, SOME_TIME } from "../../query/clause-words.ts";
import { clauseOf } from "../../query/clauses.ts";
import { labelOf } from "../../query/display-names.ts";
import { joinedClause } from "../../query/noun-phrases.ts";
import type { Production } from "./template-parser.ts";

const [TEXT, NUMBER, DAY, WINDOW] = ["Qqq", 7_777_777, "2001-02-03", { last: 777, unit: "day" }] as const;
/** How the renderer writes these values, and the places for any other. */
const PLACES = [
  [TEXT, "{values}"],
  ["7,777,777", "{number}"],
  ["3 February 2001", "{day}"],
  ["in the last 777 days", "{when}"],
  [SOME_TIME, ""],
] as const;

const TEXTS = [{ is: TEXT }, { isNot: TEXT }, { became: TEXT }, { newly: TEXT }];
const BOUNDS = ["is", "isNot", "over", "under", "from", "to"].flatMap((bound) => [{ [bound]: NUMBER }, { [bound]: 1 }]);
const SAMPLES: Readonly<Record<DimensionType, readonly Conditions[]>> = {
  entity: TEXTS,
  code: TEXTS,
  text: TEXTS,
  number: [...BOUNDS, { is: 0 }, { changed: "up" }, { changed: "down" }],
  percent: BOUNDS,
  date: [{ from: DAY }, { to: DAY }, { within: WINDOW }],
  boolean: [{ is: true }, { is: false }],
};

/** Some changes of state have a verb of their own. */
const samplesOf = ({ name, type }: Dimension): readonly Conditions[] => [
  ...SAMPLES[type],
  ...Object.keys(BECAME).flatMap((state) =>
    state.startsWith(`${name} `) ? { became: state.slice(name.length + 1) } : [],
  ),
  { isUnknown: true },
  { isUnknown: false },
];

/** Stand-ins for all traits of a type, which have the same clauses but for the label: of one word, or of several. */
const TRAITS = (["text", "number", "date", "boolean"] as const).flatMap((type) =>
  ["zzz", "zzz zzz"].map((label): Dimension => ({ name: `account.${label}`, type, of: ["accounts"] })),
);

/** Returns the rules for a clause after a noun or after "How many accounts", and for one as a question. */
export function clauseProductions(): Readonly<Record<string, readonly Production[]>> {
  const rules = { clause: new Array<Production>(), ask: new Array<Production>() };
  for (const dimension of [...BUILT_IN, ...TRAITS])
    for (const sample of samplesOf(dimension)) {
      const { name, type, of } = dimension;
      const [[condition, value] = [""]] = Object.entries(sample);
      const names = { dimensions: [dimension], nameOf: () => TEXT };
      const isTrait = name.includes(".");
      const label = labelOf(name, names);
      const ruleFor = (text: string): Production => [
        `${isTrait ? text.replace(label, `{${traitPlace(type, label)}}`) : text}{own}`.replace(
          "{values}",
          `{values ${isTrait ? "@" : name}}`,
        ),
        ({ window, values = [], own, trait = name, ...part }) => {
          const [said = window ?? value] = values;
          const meant = values.length > 1 ? { in: values } : { [condition]: said };
          return { ...part, where: [...(part.where ?? []), { dimension: trait, ...meant, ...own }] };
        },
      ];
      const clauses = of.map((find) => clauseOf({ dimension: name, ...sample }, names, find));
      // Most clauses are the same whatever is found.
      const texts = new Set(
        clauses.flatMap(({ after, main }) => [after, main ?? after, joinedClause(after)].map(withPlaces)),
      );
      rules.clause.push(...Array.from(texts, ruleFor));
      rules.ask.push(...Array.from(new Set(clauses.map(({ ask }) => withPlaces(ask("{np}")))), ruleFor));
    }
  return rules;
}

/** Returns the place for the label of a trait whose clauses have this form. */
export const traitPlace = (type: DimensionType, label: string): string =>
  `trait ${type} ${label.includes(" ") ? "long" : "short"}`;

const withPlaces = (text: string): string =>
  PLACES.reduce((said, [sample, place]) => said.replace(sample, place), text);
