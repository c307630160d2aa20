/** Rules for clauses. The renderer writes sample filters, and the values of the samples are replaced by places. */
import { clauseOf } from "../../query/clauses.ts";
import type { Dimension } from "../../query/dimensions.ts";
import type { Conditions, Filter, FilterValue, Find, WindowName } from "../../query/model.ts";
import type { Part, Rule } from "./grammar.ts";

const TEXT = "Qqq";
const WINDOW = { last: 777, unit: "day" } as const;
const SAMPLES = /Qqq|7,777,777|\b3 February 2001|in the last 777 days/g;

/** The values above become places. Other values stay as they are. */
type Sample = readonly [condition: keyof Conditions, value: FilterValue | WindowName, place: string | null];

const BOUNDS = ["is", "isNot", "over", "under", "from", "to"] as const;
const UNKNOWN: readonly Sample[] = [
  ["isUnknown", true, null],
  ["isUnknown", false, null],
];
const NUMBERS: readonly Sample[] = [
  ...BOUNDS.flatMap((bound): Sample[] => [
    [bound, 7_777_777, "n"],
    [bound, 1, null],
  ]),
  ["is", 0, null],
  ["changed", "up", null],
  ["changed", "down", null],
  ...UNKNOWN,
];

function samplesOf({ name, type }: Dimension): readonly Sample[] {
  switch (type) {
    case "number":
    case "percent":
      return NUMBERS;
    case "date":
      return [
        ...(["from", "to"] as const).map((bound): Sample => [bound, "2001-02-03", "day"]),
        ["within", WINDOW, "when"],
        ...UNKNOWN,
      ];
    case "boolean":
      return [["is", true, null], ["is", false, null], ...UNKNOWN];
    case "entity":
    case "code":
    case "text":
      return [
        ["is", TEXT, `values ${name}`],
        ["isNot", TEXT, `value ${name}`],
        ["became", TEXT, `value ${name}`],
        ...UNKNOWN,
      ];
  }
}

/** The rules for a clause after a noun, after "How many accounts", and as a question. */
export function clauseRules(find: Find, dimensions: readonly Dimension[]): Readonly<Record<string, readonly Rule[]>> {
  const rules: Record<string, Rule[]> = {};
  const add = (form: string, text: string | null, [, , place]: Sample, make: (part: Part) => Part): void => {
    if (text === null) return;
    const template = `${place === null ? text : text.replace(SAMPLES, `{${place}}`)}{own}`;
    (rules[`${form} ${find}`] ??= []).push([template, make]);
  };
  for (const dimension of dimensions.filter(({ of }) => of.includes(find)))
    for (const sample of samplesOf(dimension)) {
      const [condition, value, place] = sample;
      const filter: Filter = { dimension: dimension.name, [condition]: value };
      const { after, main, ask } = clauseOf(filter, { dimensions, nameOf: () => TEXT }, find);
      const make = ({ n, day, window, values, own: when, ...part }: Part): Part => {
        const given = values ?? [n ?? day ?? (typeof value === "object" ? "" : value)];
        const said: Partial<Filter> =
          place === "when" ? { within: window } : given.length > 1 ? { in: given } : { [condition]: given[0] };
        const made: Filter = { dimension: dimension.name, ...said, ...when };
        return { ...part, find, where: [...(part.where ?? []), made] };
      };
      add("clause", after, sample, make);
      add("main", main, sample, make);
      add("ask", ask(`{np ${find}}`), sample, make);
    }
  return rules;
}
