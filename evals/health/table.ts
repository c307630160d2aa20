/** Prints the figures as a table, with ✓ or ✗ for each target. */
import type { Ranking } from "./figures/ranking.ts";
import type { Recall } from "./figures/recall.ts";
import type { Report } from "./report.ts";

interface Row {
  name: string;
  found: string;
  aim?: string;
  met?: boolean;
  /** Details. */
  note?: string;
}

const WIDTHS = { name: 52, found: 10, aim: 13 };

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
    highUsage,
    ranking,
    growth,
    convertingTrials,
    stateFlips,
  } = report;
  const { cliff, slow_decline } = highUsage;
  const ofScenarios = Object.entries(falseAlarms.byScenario);
  return [
    aimed("False alarms per account-month", falseAlarms.perAccountMonth, 3, "≤", 0.05, counts(falseAlarms.byKind)),
    ...ofScenarios.map(([scenario, of]) => plain(`  ${scenario}`, decimal(of.perAccountMonth, 3), counts(of.byKind))),
    plain("  by the naive rule", decimal(naive.perAccountMonth, 3), "0.4 to 2.2 is usual"),
    aimed("Accounts with an alarm due to a holiday", holiday.share, 3, "≤", 0.03, disturbed(holiday)),
    aimed("Accounts with an alarm due to an outage", outage.alarmed, 0, "≤", 0, disturbed(outage)),
    plain("  up to four weeks later", String(outageAftermath.alarmed), disturbed(outageAftermath)),
    plain("  outages reported as outages", `${report.outagesReported} of ${outage.disturbances}`),
    null,
    aimed("Cliffs caught, at 40 user-days a week or more", cliff.share, 2, "≥", 0.8, caught(cliff)),
    aimed("Slow declines caught, at the same usage", slow_decline.share, 2, "≥", 0.8, caught(slow_decline)),
    ...Object.entries(recall).map(([scenario, of]) => plain(`  all: ${scenario}`, decimal(of.share, 2), caught(of))),
    plain("Growing accounts reported", `${growth.seen} of ${growth.accounts}`),
    plain("Converting trials with a warning", `${convertingTrials.warned} of ${convertingTrials.accounts}`),
    null,
    aimed("AUC of 100 - score, 30 days before the end", ranking.before30.auc, 3, "≥", 0.85, ranked(ranking.before30)),
    aimed("  customers only", ranking.customers30.auc, 3, "≥", 0.88, ranked(ranking.customers30)),
    ...ranking.customers.map((of) =>
      plain(`  customers among customers, ${of.days} days before`, decimal(of.auc, 3), ranked(of)),
    ),
    plain("  with knowledge of who is in decline", decimal(ranking.oracle.auc, 3), ranked(ranking.oracle)),
    plain("  by a model learned on other seeds (--seeds)", decimal(ranking.learned.auc, 3), ranked(ranking.learned)),
    ...ranking.trials.map((of) => ofTrials(of)),
    plain("  on any day within 30 days", decimal(ranking.within30.auc, 3), ranked(ranking.within30)),
    plain("AUC, 60 days before the end", decimal(ranking.before60.auc, 3), ranked(ranking.before60)),
    null,
    aimed("Healthy accounts below half their best", report.belowHalf.accounts.length, 0, "≤", 0, below(report)),
    aimed("Days of accounts not in decline that are healthy", report.calmHealthy, 3, "≥", 0.93, ""),
    aimed(
      "State flips of these per account-month",
      stateFlips.calm,
      2,
      "≤",
      0.21,
      `all: ${decimal(stateFlips.all, 2)}`,
    ),
    plain("Open items per 100 accounts", decimal(report.openItemsPer100Accounts, 1)),
    same("A rerun changes nothing", report.rerunSame),
    same("The order of arrival changes nothing", report.shuffle.differing.length === 0, shuffledNote(report)),
  ];
}

function aimed(name: string, value: number | null, digits: number, side: "≥" | "≤", aim: number, note: string): Row {
  const met = value !== null && (side === "≥" ? value >= aim : value <= aim);
  return { name, found: decimal(value, digits), aim: `${side} ${aim}`, met, note };
}

const plain = (name: string, found: string, note = ""): Row => ({ name, found, note });

const same = (name: string, is: boolean, note = ""): Row => ({
  name,
  found: is ? "yes" : "no",
  aim: "yes",
  met: is,
  note,
});

function line({ name, found, aim, met, note }: Row): string {
  const sign = met === undefined ? " " : met ? "✓" : "✗";
  const cells = [name.padEnd(WIDTHS.name), found.padStart(WIDTHS.found), (aim ?? "").padStart(WIDTHS.aim), sign];
  return `${cells.join(" ")}  ${note ?? ""}`.trimEnd();
}

const decimal = (value: number | null, digits: number): string => (value === null ? "none" : value.toFixed(digits));

const counts = (by: Readonly<Record<string, number>>): string =>
  Object.entries(by)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");

function disturbed({ alarmed, spared, accounts, disturbances, which }: Report["holiday"]): string {
  const found = `${alarmed} of ${accounts} accounts in ${disturbances} disturbances; ${spared} lost an alarm`;
  return `${found}${which.length === 0 ? "" : `; ${which.slice(0, 3).join(", ")}`}`;
}

function caught({ caught: found, declines, medianLag, medianLead, byKind }: Recall): string {
  const times = `median ${decimal(medianLag, 0)} days after the beginning, ${decimal(medianLead, 0)} before the end`;
  return `${found} of ${declines}; ${times}; ${counts(byKind)}`;
}

function ofTrials(of: Ranking & { length: number; days: number }): Row {
  const name = `  trials of ${of.length} days among trials, ${of.days} days before`;
  return of.length === 30 && of.days === 7
    ? aimed(name, of.auc, 3, "≥", 0.8, ranked(of))
    : plain(name, decimal(of.auc, 3), ranked(of));
}

const ranked = ({ churns, unscored, lift, error }: Ranking): string =>
  `± ${decimal(error, 3)}; ${churns} ended contracts, ${unscored} more without a score; lift in the lowest tenth ${decimal(lift, 1)}`;

function below({ belowHalf: { accounts, healthyDays, lowest, belowFactor } }: Report): string {
  const factor = `${belowFactor} below what the workspace's factor explains, lowest share ${decimal(lowest, 2)}`;
  return `in ${healthyDays} healthy days; ${factor}${accounts.length === 0 ? "" : `; ${accounts.slice(0, 3).join(", ")}`}`;
}

const shuffledNote = ({ shuffle: { accounts, days, differing } }: Report): string =>
  `${accounts} accounts, ${days} days${differing.length === 0 ? "" : `; different: ${differing.slice(0, 5).join(", ")}`}`;
