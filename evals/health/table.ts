/** The figures as a table, with ✓ or ✗ where there is an aim. */
import type { Ranking } from "./figures/ranking.ts";
import type { Recall } from "./figures/recall.ts";
import type { Report } from "./report.ts";

interface Row {
  name: string;
  found: string;
  aim?: string;
  met?: boolean;
  /** What stands behind it. */
  note?: string;
}

const WIDTHS = { name: 44, found: 10, aim: 13 };

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
    aimed("False alarms per account-month", falseAlarms.perAccountMonth, 3, "≤", 0.05, counts(falseAlarms.byKind)),
    ...ofScenarios.map(([scenario, of]) => plain(`  ${scenario}`, decimal(of.perAccountMonth, 3), counts(of.byKind))),
    plain("  by the naive rule", decimal(naive.perAccountMonth, 3), "expected to be 0.4 to 2.2"),
    aimed("Accounts alarmed by a shared holiday", holiday.share, 3, "≤", 0.03, disturbed(holiday)),
    aimed("Accounts alarmed by an outage of the sender", outage.alarmed, 0, "≤", 0, disturbed(outage)),
    plain("  and up to four weeks later", String(outageAftermath.alarmed), disturbed(outageAftermath)),
    plain("  outages told of as such", `${report.outagesTold} of ${outage.disturbances}`),
    null,
    aimed("Cliffs caught, 40 user-days a week and more", cliff.share, 2, "≥", 0.8, caught(cliff)),
    aimed("Slow declines caught, the same", slow_decline.share, 2, "≥", 0.8, caught(slow_decline)),
    ...Object.entries(recall).map(([scenario, of]) => plain(`  all: ${scenario}`, decimal(of.share, 2), caught(of))),
    plain("Growing accounts told of", `${growth.seen} of ${growth.accounts}`),
    plain("Trials warned of that converted", `${convertingTrials.warned} of ${convertingTrials.accounts}`),
    null,
    aimed("AUC of 100 - score, 30 days before the end", ranking.before30.auc, 3, "≥", 0.85, ranked(ranking.before30)),
    plain("  customers alone", decimal(ranking.customers30.auc, 3), ranked(ranking.customers30)),
    plain("  on any day within 30 days", decimal(ranking.within30.auc, 3), ranked(ranking.within30)),
    plain("AUC, 60 days before the end", decimal(ranking.before60.auc, 3), ranked(ranking.before60)),
    null,
    aimed("Accounts below half their best, yet healthy", report.belowHalf.accounts.length, 0, "≤", 0, below(report)),
    plain(
      "State flips per account-month",
      decimal(stateFlips.all, 2),
      `not in decline: ${decimal(stateFlips.calm, 2)}`,
    ),
    plain("Open items per 100 accounts", decimal(report.openItemsPer100Accounts, 1)),
    same("A rerun changes nothing", report.rerunSame),
    same("Nor does the order of a day's arrivals", report.shuffle.differing.length === 0, shuffledNote(report)),
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
  const verdict = met === undefined ? " " : met ? "✓" : "✗";
  const cells = [name.padEnd(WIDTHS.name), found.padStart(WIDTHS.found), (aim ?? "").padStart(WIDTHS.aim), verdict];
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
