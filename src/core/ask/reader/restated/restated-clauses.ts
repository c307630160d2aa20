/** Rules for clauses. The renderer writes sample filters, and the values of the samples are replaced by places. */
import type { Dimension, DimensionType } from "../../query/dimensions.ts";
import type { Conditions, Filter, FilterValue, WindowName } from "../../query/model.ts";
import { clauseOf } from "../../query/clauses.ts";
import type { Production } from "./grammar.ts";

/** Values of samples, and how the renderer writes them. */
const TEXT = "Qqq";
const NUMBER = 7_777_777;
const DAY = "2001-02-03";
const WINDOW = { last: 777, unit: "day" } as const;
const SAMPLES = /Qqq|7,777,777|\b3 February 2001|in the last 777 days/g;

/** A value with a `place` becomes this place. Other values stay as they are. */
type Sample = readonly [condition: keyof Conditions, value: FilterValue | WindowName, place?: string];

const UNKNOWN: readonly Sample[] = [
  ["isUnknown", true],
  ["isUnknown", false],
];
const NUMBERS: readonly Sample[] = [
  ...(["is", "isNot", "over", "under", "from", "to"] as const).flatMap((bound): Sample[] => [
    [bound, NUMBER, "n"],
    [bound, 1],
  ]),
  ["is", 0],
  ["changed", "up"],
  ["changed", "down"],
  ...UNKNOWN,
];
const DATES: readonly Sample[] = [["from", DAY, "day"], ["to", DAY, "day"], ["within", WINDOW, "when"], ...UNKNOWN];
const BOOLEANS: readonly Sample[] = [["is", true], ["is", false], ...UNKNOWN];

function samplesOf(name: string, type: DimensionType): readonly Sample[] {
  if (type === "number" || type === "percent") return NUMBERS;
  if (type === "date") return DATES;
  if (type === "boolean") return BOOLEANS;
  return [
    ["is", TEXT, `values ${name}`],
    ["isNot", TEXT, `value ${name}`],
    ["became", TEXT, `value ${name}`],
    ...UNKNOWN,
  ];
}

/** The rules for a clause after a noun, after "How many accounts", and as a question. */
export function clauseRules(dimensions: readonly Dimension[]): Readonly<Record<string, readonly Production[]>> {
  const rules = {
    clause: new Array<Production>(),
    "main clause": new Array<Production>(),
    ask: new Array<Production>(),
  };
  for (const { name, type, of } of dimensions)
    for (const [condition, value, place] of samplesOf(name, type)) {
      const filter: Filter = { dimension: name, [condition]: value };
      const clauses = of.map((find) => clauseOf(filter, { dimensions, nameOf: () => TEXT }, find));
      const ruleFor = (text: string): Production => [
        `${place === undefined ? text : text.replace(SAMPLES, `{${place}}`)}{own}`,
        ({ n, day, window, values = [], own, ...part }) => {
          const [said = n ?? day ?? window ?? value] = values;
          const meant = values.length > 1 ? { in: values } : { [condition]: said };
          return { ...part, where: [...(part.where ?? []), { dimension: name, ...meant, ...own }] };
        },
      ];
      // Most clauses are the same whatever is found.
      for (const { after, main, ask } of new Map(clauses.map((each) => [each.after, each])).values()) {
        rules.clause.push(ruleFor(after));
        if (main !== null) rules["main clause"].push(ruleFor(main));
        rules.ask.push(ruleFor(ask("{np}")));
      }
    }
  return rules;
}
