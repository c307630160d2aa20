/** Whether an answer stands on its evidence: every name, day and figure of the sentence, and the figures of the value. */
import type { Evidence, Response200 } from "../service/ask.ts";
import { daysIn, figuresIn, figuresOf, isNear, NAME, rowsOf } from "./reading.ts";

const ISO_DAY = /^\d{4}-\d{2}-\d{2}/;
/** Evidence tells of so many rows at least. */
const TOLD_ROWS = 10;

/**
 * @param sentences that are known to be true: what stands in them may be told without evidence
 * @returns what is wrong with it; `null` for nothing
 */
export function faultOfBacking(response: Response200, question: string, sentences: readonly string[]): string | null {
  const { answer, value, evidence, window } = response;
  const text = sentences.reduce((rest, sentence) => rest.replaceAll(sentence, ""), answer ?? "");
  // Or in other words, where it tells names otherwise.
  const alsoTrue = sentences.filter((sentence) => answer?.includes(sentence) === false);
  const nameless = namesIn(response, question).reduce((rest, name) => rest.replaceAll(`"${name}"`, ""), text);
  const [stranger] = nameless.match(NAME) ?? [];
  if (stranger !== undefined) return `no evidence has the name ${stranger}`;

  const days = new Set([
    ...(window === null ? [] : [window.from, window.to]),
    ...evidence.flatMap(daysOf),
    ...alsoTrue.flatMap(daysIn),
  ]);
  const odd = daysIn(nameless).find((day) => !days.has(day));
  if (odd !== undefined) return `no evidence has the day ${odd}`;

  const figures = [...figuresOfAll(evidence), ...alsoTrue.flatMap(figuresIn)];
  const loose = firstBeyond(figuresIn(nameless), figures);
  if (loose !== undefined) return `no evidence has the figure ${loose}`;
  const rows = (rowsOf(value) ?? []).slice(0, TOLD_ROWS).flatMap(figuresOf);
  const unknown = rows.find((figure) => !figures.some((one) => isNear(one, Math.abs(figure))));
  return unknown === undefined ? null : `no evidence has the ${unknown} of the value`;
}

const figuresOfAll = (evidence: readonly Evidence[]): number[] =>
  evidence.flatMap(({ value }) => (typeof value === "number" ? [Math.abs(value)] : []));

/** Each figure of the evidence stands behind one of the sentence: told twice, it is there twice. */
function firstBeyond(told: readonly number[], figures: readonly number[]): number | undefined {
  const left = [...figures];
  return told.find((figure) => {
    const distances = left.map((one) => Math.abs(one - figure));
    const place = distances.indexOf(Math.min(...distances));
    const nearest = left[place];
    if (nearest === undefined || !isNear(nearest, figure)) return true;
    left.splice(place, 1);
    return false;
  });
}

/** The longest first: one may be a part of another. */
function namesIn({ evidence, interpretation }: Response200, question: string): string[] {
  const { subject = null, restated = "" } = interpretation ?? {};
  const told = [
    ...evidence.flatMap(({ value }) => (typeof value === "string" ? [value] : [])),
    ...(subject === null ? [] : [subject.externalId, ...(subject.name === undefined ? [] : [subject.name])]),
    ...[...restated.matchAll(NAME)].map(([name]) => name.slice(1, -1)),
    // What was taken for another is told in the words of the question.
    ...question.split(/[\s?",.]+/),
  ];
  return told.filter((name) => name !== "").toSorted((a, b) => b.length - a.length);
}

const daysOf = ({ value, window }: Evidence): string[] => [
  ...(window === undefined ? [] : [window.from, window.to]),
  ...(typeof value === "string" && ISO_DAY.test(value) ? [value.slice(0, 10)] : []),
];
