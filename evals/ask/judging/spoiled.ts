/** The ways in which an answer can be wrong, done to right ones. */
import type { Evidence, Response200 } from "../service/ask.ts";
import { rowsOf } from "./reading.ts";

/** `null` where there is nothing to spoil. */
export type Spoil = (response: Response200) => Response200 | null;

/** Or a name, which is left as it is. */
const FIGURE = /"[^"]*"|\d[\d,.]*(?<=\d)/g;

export const SPOILS: Readonly<Record<string, Spoil>> = {
  value: (response) => ({ ...response, value: otherThan(response.value) }),
  "a row's figure": (response) => {
    const value = withOtherRow(response.value);
    return value === null ? null : { ...response, value };
  },
  sentence: (response) => ({ ...response, answer: "It is so." }),
  "first figure": (response) => withOtherFigure(response, 0),
  "last figure": (response) => withOtherFigure(response, -1),
  name: (response) => withAnswer(response, (answer) => answer.replace(/"([^"]+)"(?=[^"]*$)/, '"$1x"')),
  subject: ({ interpretation, ...response }) =>
    interpretation?.subject == null || interpretation.subject.type === "portfolio"
      ? null
      : {
          ...response,
          interpretation: { ...interpretation, subject: { ...interpretation.subject, externalId: "another" } },
        },
  measure: ({ interpretation, ...response }) =>
    interpretation === null ? null : { ...response, interpretation: { ...interpretation, measure: "another" } },
  window: ({ window, ...response }) =>
    window === null ? null : { ...response, window: { ...window, from: "2001-01-01" } },
  "no evidence": (response) => ({ ...response, evidence: [] }),
  "a figure of evidence": ({ evidence, ...response }) => {
    const place = evidence.findIndex(({ value }) => typeof value === "number");
    const found = evidence[place];
    return found === undefined ? null : { ...response, evidence: evidence.with(place, higher(found)) };
  },
};

function otherThan(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return `${value}x`.replace(/^\d/, "9");
  if (!Array.isArray(value)) return null;
  return value.length === 0 ? [{ externalId: "another" }] : value.slice(1);
}

/** Of the first row that has one. */
function withOtherRow(value: unknown): unknown {
  const rows = rowsOf(value) ?? [];
  const place = rows.findIndex((row) => Object.values(row).some((field) => typeof field === "number"));
  const spoiled = Object.entries(rows[place] ?? {}).map(([name, field]) => [
    name,
    typeof field === "number" ? field + 1 : field,
  ]);
  return place === -1 ? null : rows.with(place, Object.fromEntries(spoiled));
}

function withAnswer(response: Response200, change: (answer: string) => string): Response200 | null {
  const answer = change(response.answer ?? "");
  return answer === response.answer ? null : { ...response, answer };
}

/** @param at which of the figures of the sentence, `-1` for the last */
function withOtherFigure(response: Response200, at: number): Response200 | null {
  return withAnswer(response, (answer) => {
    const found = [...answer.matchAll(FIGURE)].filter(([figure]) => !figure.startsWith('"')).at(at);
    if (found === undefined) return answer;
    const [figure] = found;
    const other = figure.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));
    return answer.slice(0, found.index) + other + answer.slice(found.index + figure.length);
  });
}

const higher = (evidence: Evidence): Evidence => ({ ...evidence, value: Number(evidence.value) + 1 });
