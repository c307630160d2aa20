/** Prints the figures as a table, with ✓ or ✗ for those with a target. */
import type { Ranking } from "./figures/ranking.ts";
import type { Recall } from "./figures/recall.ts";
import type { Report } from "./report.ts";

interface Row {
  name: string;
  found: string;
  target?: string;
  met?: boolean;
  /** The numbers behind it. */
  note?: string;
}

const WIDTHS = { name: 44, found: 10, target: 13 };

export function table(report: Report): string {
  return rowsOf(report)
    .map((row) => (row === null ? "" : line(row)))
    .join("\n");
}

function rowsOf(report: Report): (Row | null)[] {
  const {
    falseAlarms,
    naive,
    holiday,
    outage,
    outageAftermath,
    recall,
    muchUse,
    ranking,
    growth,
    convertingTrials,
    stateFlips,
  } = report;
  const { cliff, slow_decline } = muchUse;
  const ofScenarios = Object.entries(falseAlarms.byScenario);
  return [
    withTarget("False alarms per account-month", falseAlarms.perAccountMonth, 3, "≤", 0.05, counts(falseAlarms.byKind)),
    ...ofScenarios.map(([scenario, of]) => plain(`  ${scenario}`, decimal(of.perAccountMonth, 3), counts(of.byKind))),
    plain("  by the naive rule", decimal(naive.perAccountMonth, 3), "expected to be 0.4 to 2.2"),
    withTarget("Accounts with an alarm from a shared holiday", holiday.share, 3, "≤", 0.03, disturbed(holiday)),
    withTarget("Accounts with an alarm from an outage", outage.alarmed, 0, "≤", 0, disturbed(outage)),
    plain("  and up to four weeks later", String(outageAftermath.alarmed), disturbed(outageAftermath)),
    plain("  outages reported as such", `${report.outagesTold} of ${outage.disturbances}`),
    null,
    withTarget("Cliffs caught, from 40 user-days a week", cliff.share, 2, "≥", 0.8, caught(cliff)),
    withTarget("Slow declines caught, from 40 a week", slow_decline.share, 2, "≥", 0.8, caught(slow_decline)),
    ...Object.entries(recall).map(([scenario, of]) => plain(`  all: ${scenario}`, decimal(of.share, 2), caught(of))),
    plain("Growing accounts reported", `${growth.seen} of ${growth.accounts}`),
    plain("Converting trials with a warning", `${convertingTrials.warned} of ${convertingTrials.accounts}`),
    null,
    withTarget(
      "AUC of 100 - score, 30 days before the end",
      ranking.before30.auc,
      3,
      "≥",
      0.85,
      ranked(ranking.before30),
    ),
    plain("  customers alone", decimal(ranking.customers30.auc, 3), ranked(ranking.customers30)),
    plain("  on any day within 30 days", decimal(ranking.within30.auc, 3), ranked(ranking.within30)),
    plain("AUC, 60 days before the end", decimal(ranking.before60.auc, 3), ranked(ranking.before60)),
    null,
    withTarget("Accounts healthy below half of their best", report.belowHalf.accounts.length, 0, "≤", 0, below(report)),
    plain(
      "State flips per account-month",
      decimal(stateFlips.all, 2),
      `not in decline: ${decimal(stateFlips.calm, 2)}`,
    ),
    plain("Open items per 100 accounts", decimal(report.openItemsPer100Accounts, 1)),
    same("A rerun changes nothing", report.rerunSame),
    same("The order of arrival changes nothing", report.shuffle.differing.length === 0, shuffledNote(report)),
  ];
}

function withTarget(
  name: string,
  value: number | null,
  digits: number,
  side: "≥" | "≤",
  target: number,
  note: string,
): Row {
  const met = value !== null && (side === "≥" ? value >= target : value <= target);
  return { name, found: decimal(value, digits), target: `${side} ${target}`, met, note };
}

const plain = (name: string, found: string, note = ""): Row => ({ name, found, note });

const same = (name: string, is: boolean, note = ""): Row => ({
  name,
  found: is ? "yes" : "no",
  target: "yes",
  met: is,
  note,
});

function line({ name, found, target, met, note }: Row): string {
  const verdict = met === undefined ? " " : met ? "✓" : "✗";
  const cells = [
    name.padEnd(WIDTHS.name),
    found.padStart(WIDTHS.found),
    (target ?? "").padStart(WIDTHS.target),
    verdict,
  ];
  return `${cells.join(" ")}  ${note ?? ""}`.trimEnd();
}

const decimal = (value: number | null, digits: number): string => (value === null ? "none" : value.toFixed(digits));

const counts = (by: Readonly<Record<string, number>>): string =>
  Object.entries(by)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");

function disturbed({ alarmed, spared, accounts, disturbances, which }: Report["holiday"]): string {
  const found = `${alarmed} of ${accounts} in ${disturbances}, and ${spared} spared one`;
  return `${found}${which.length === 0 ? "" : `; ${which.slice(0, 3).join(", ")}`}`;
}

function caught({ caught: found, declines, medianLag, medianLead, byKind }: Recall): string {
  const times = `median ${decimal(medianLag, 0)} days after it began, ${decimal(medianLead, 0)} before the end`;
  return `${found} of ${declines}; ${times}; ${counts(byKind)}`;
}

const ranked = ({ churns, unscored, lift }: Ranking): string =>
  `of ${churns}, ${unscored} more had no score; lift in the lowest tenth ${decimal(lift, 1)}`;

function below({ belowHalf: { accounts, healthyDays, lowest, belowFactor } }: Report): string {
  const factor = `${belowFactor} by more than the workspace's factor explains, the lowest at ${decimal(lowest, 2)}`;
  return `in ${healthyDays} healthy days; ${factor}${accounts.length === 0 ? "" : `; ${accounts.slice(0, 3).join(", ")}`}`;
}

const shuffledNote = ({ shuffle: { accounts, days, differing } }: Report): string =>
  `${accounts} accounts, ${days} days${differing.length === 0 ? "" : `; not the same: ${differing.slice(0, 5).join(", ")}`}`;
