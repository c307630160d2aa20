/** Rules for clauses. The renderer writes sample filters, and the values of the samples are replaced by places. */
import type { Dimension, DimensionType } from "../../query/dimensions.ts";
import type { Conditions } from "../../query/model.ts";
import { clauseOf } from "../../query/clauses.ts";
import type { Production } from "./grammar.ts";

const [TEXT, NUMBER, DAY, WINDOW] = ["Qqq", 7_777_777, "2001-02-03", { last: 777, unit: "day" }] as const;
/** How the renderer writes these values, and the places for any other. */
const PLACES = [
  [TEXT, "{values}"],
  ["7,777,777", "{number}"],
  ["3 February 2001", "{day}"],
  ["in the last 777 days", "{when}"],
] as const;

const TEXTS = [{ is: TEXT }, { isNot: TEXT }, { became: TEXT }];
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

/** The rules for a clause after a noun or after "How many accounts", and for one as a question. */
export function clauseRules(dimensions: readonly Dimension[]): Readonly<Record<string, readonly Production[]>> {
  const rules = { clause: new Array<Production>(), ask: new Array<Production>() };
  for (const { name, type, of } of dimensions)
    for (const sample of [...SAMPLES[type], { isUnknown: true }, { isUnknown: false }]) {
      const [[condition, value] = [""]] = Object.entries(sample);
      const ruleFor = (text: string): Production => [
        `${withPlaces(text).replace("{values}", `{values ${name}}`)}{own}`,
        ({ window, values = [], own, ...part }) => {
          const [said = window ?? value] = values;
          const meant = values.length > 1 ? { in: values } : { [condition]: said };
          return { ...part, where: [...(part.where ?? []), { dimension: name, ...meant, ...own }] };
        },
      ];
      const names = { dimensions, nameOf: () => TEXT };
      const clauses = of.map((find) => clauseOf({ dimension: name, ...sample }, names, find));
      // Most clauses are the same whatever is found.
      const texts = new Set(clauses.flatMap(({ after, main }) => [after, main ?? after]));
      rules.clause.push(...Array.from(texts, ruleFor));
      rules.ask.push(...Array.from(new Set(clauses.map(({ ask }) => ask("{np}"))), ruleFor));
    }
  return rules;
}

const withPlaces = (text: string): string =>
  PLACES.reduce((said, [sample, place]) => said.replace(sample, place), text);
