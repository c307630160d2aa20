/** The figures as a page of text, and the cases behind them as a list. */
import { type FamilyFigures, type Figures, byFamily, byReason, figuresOf, ofPart } from "./figures.ts";
import type { Judged } from "./judge.ts";
import { blindSpotsIn } from "./blind-spots.ts";

export const LISTS = { wrong: "wrong", silent: "silent", reason: "other_reason" } as const;
export type ListName = keyof typeof LISTS;

const BARS: readonly (readonly [label: string, isMet: (figures: Figures) => boolean])[] = [
  ["no wrong answer", ({ wrong }) => wrong === 0],
  ["coverage at least 90 %", ({ coverage }) => (coverage ?? 0) >= 0.9],
  ["right reason at least 90 %", ({ rightReason }) => (rightReason ?? 0) >= 0.9],
];

export function reportOf(judged: readonly Judged[]) {
  const open = ofPart(judged, "open");
  const heldApart = ofPart(judged, "held_apart");
  return {
    open: figuresOf(open),
    heldApart: figuresOf(heldApart),
    all: figuresOf(judged),
    reasons: byReason(judged),
    families: { open: byFamily(open), heldApart: byFamily(heldApart) },
    judge: blindSpotsIn(judged),
  };
}

type Report = ReturnType<typeof reportOf>;

export function page({ open, heldApart, all, reasons, families, judge }: Report): string {
  const rows: [string, (figures: Figures) => string][] = [
    ["questions", ({ questions, answerable, unanswerable }) => `${questions} (${answerable}+${unanswerable})`],
    ["wrong", ({ wrong }) => String(wrong)],
    ["  of all", ({ wrongOfAll }) => percent(wrongOfAll)],
    ["  of answered", ({ wrongOfAnswered }) => percent(wrongOfAnswered)],
    ["coverage of the answerable", ({ coverage }) => percent(coverage)],
    ["abstention, precision", ({ abstentionPrecision }) => percent(abstentionPrecision)],
    ["abstention, recall", ({ abstentionRecall }) => percent(abstentionRecall)],
    ["right reason", ({ rightReason }) => percent(rightReason)],
    ["flips between phrasings", ({ flips }) => percent(flips)],
    ["p50, p95", ({ p50Ms, p95Ms }) => `${p50Ms.toFixed(1)} ms, ${p95Ms.toFixed(1)} ms`],
  ];
  const columns = [open, heldApart, all];
  const table = [
    line("", ["open part", "held apart", "all"]),
    ...rows.map(([label, read]) => line(label, columns.map(read))),
    "",
    ...BARS.map(([label, isMet]) =>
      line(
        label,
        columns.map((figures) => (isMet(figures) ? "met" : "NOT MET")),
      ),
    ),
  ];
  const told = Object.entries(reasons)
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) => line(reason, [String(count)]));
  return [
    ...table,
    "",
    ...familyTable("families of the open part", families.open),
    "",
    ...familyTable("families held apart", families.heldApart),
    "",
    "near misses met with the right reason",
    ...told,
    "",
    `right answers, spoiled: ${judge.spoiled}, of which the judge let pass: ${passed(judge.unseen)}`,
  ].join("\n");
}

/** Where something is lost; what is worst first. */
function familyTable(title: string, families: readonly FamilyFigures[]): string[] {
  const worst = families
    .filter(({ wrong, silent, otherReason }) => wrong + silent + otherReason > 0)
    .toSorted((a, b) => b.wrong - a.wrong || lost(b) - lost(a));
  return [
    line(title, ["questions", "wrong", "silent", "other reason"]),
    ...worst.map(({ family, questions, wrong, silent, otherReason }) =>
      line(family, [questions, wrong, silent, otherReason].map(String)),
    ),
    ...(worst.length < families.length ? [`nothing lost in the other ${families.length - worst.length}`] : []),
  ];
}

const passed = (unseen: Readonly<Record<string, number>>): string =>
  Object.entries(unseen)
    .map(([spoiled, count]) => `${count} (${spoiled})`)
    .join(", ") || "none";

const lost = ({ questions, silent, otherReason }: { questions: number; silent: number; otherReason: number }): number =>
  (silent + otherReason) / questions;

const LABEL = 34;
const COLUMN = 20;
const line = (label: string, cells: readonly string[]): string =>
  (label.padEnd(LABEL) + cells.map((cell) => cell.padStart(COLUMN)).join("")).trimEnd();

const percent = (value: number | null): string => (value === null ? "-" : `${(100 * value).toFixed(2)} %`);

/** A block for each case. */
export function listed(judged: readonly Judged[], name: ListName): string {
  return judged
    .filter(({ outcome }) => outcome === LISTS[name])
    .map(({ asked: { family, world, style, body, expected }, got: { response }, fault }) =>
      [
        `${family} (${world.name}, ${style})`,
        `  asked     ${JSON.stringify(body)}`,
        ...(fault === null ? [] : [`  fault     ${fault}`]),
        `  expected  ${expected.knows ? JSON.stringify(expected.truth).slice(0, 300) : expected.reasons.join(" | ")}`,
        `  got       ${response?.knows === true ? `${response.answer}` : `${response?.reason}: ${response?.detail}`}`,
        ...(response?.interpretation ? [`  as        ${response.interpretation.restated}`] : []),
      ].join("\n"),
    )
    .join("\n\n");
}
