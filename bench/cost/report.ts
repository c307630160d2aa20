/** Computes the prices of deployments, and prints them with their assumptions. */
import { typedKeys } from "../../src/core/typed-keys.ts";
import { row } from "../local/table.ts";
import { listPrice, monthlyBill, monthOf, type Part, type Settings, totalOf, type Usage } from "./bill.ts";
import { BASE_DOLLARS, ELSEWHERE } from "./prices.ts";
import { type Phase, SIZES, type Simulated } from "./simulate.ts";
import { SHARES, type Workload } from "./traffic.ts";

/** Workspaces of a deployment, by the messages of each. */
const DEPLOYMENTS = new Map([
  [1_000_000, [10, 1_000]],
  [10_000_000, [1_000]],
]);
const MILLION = 1_000_000;

interface Priced {
  workload: Workload;
  size: number;
  /** Dollars per million messages, without included amounts. */
  parts: Record<Part, number>;
  /** The usage of a workspace in a month. */
  usage: Usage;
  deployments: { workspaces: number; dollarsPerMonth: number; dollarsPerMillion: number }[];
}

export interface Report {
  settings: Settings;
  simulated: Simulated[];
  priced: Priced[];
}

export function reportOf(simulated: Simulated[], settings: Settings): Report {
  const priced = simulated.flatMap((one) => SIZES.map((size) => price(one, size, settings)));
  return { settings, simulated, priced };
}

function price(simulated: Simulated, size: number, settings: Settings): Priced {
  const { workload } = simulated;
  const month = monthOf(simulated, size, settings);
  const usage = totalOf(month);
  const millions = workload.messagesPerMonth / MILLION;
  const parts = Object.entries(month).map(([part, used]) => [part, listPrice(used) / millions]);
  const deployments = (DEPLOYMENTS.get(workload.messagesPerMonth) ?? []).map((workspaces) => {
    const dollarsPerMonth = monthlyBill(usage, workspaces);
    return { workspaces, dollarsPerMonth, dollarsPerMillion: dollarsPerMonth / (workspaces * millions) };
  });
  return { workload, size, parts: Object.fromEntries(parts), usage, deployments };
}

const LABEL = 34;
const hundredths = (value: number) => value.toFixed(2);
const whole = (value: number) => Math.round(value).toLocaleString("en-US");
const percent = (share: number) => `${share * 100} %`;
const sent = (size: number) => (size === 1 ? "singly" : `in ${size}s`);

export const table = (report: Report): string => [...lines(report)].join("\n");

function* lines({ settings, simulated, priced }: Report): Generator<string> {
  yield* assumptions(simulated, settings);
  yield "";
  const columns = [...SIZES.map(sent), "recompute", "archive", "tasks a day"];
  yield row("D1 rows per message: read, written", columns, LABEL);
  for (const one of simulated) yield rowLine(one);
  yield "";
  const notified = ["per million", "rows: store", "deliver", "dollars"];
  yield row("Notifications, for one destination", notified, LABEL);
  for (const one of simulated) yield notificationLine(one);
  yield "";
  const [first] = priced;
  if (first === undefined) return;
  const parts = typedKeys(first.parts);
  yield row("Dollars per million, none included", [...parts, "sum"], LABEL);
  for (const one of priced) {
    const each = parts.map((part) => one.parts[part]);
    const sum = each.reduce((total, part) => total + part, 0);
    yield row(`  ${one.workload.name}, ${sent(one.size)}`, [...each, sum].map(hundredths), LABEL);
  }
  yield "";
  yield row("All in, with what the plan includes", ["per million", "a month"], LABEL);
  for (const { workload, size, deployments } of priced) {
    for (const { workspaces, dollarsPerMillion, dollarsPerMonth } of deployments) {
      const name = `  ${workspaces.toLocaleString("en-US")} × ${workload.name}, ${sent(size)}`;
      yield row(name, [hundredths(dollarsPerMillion), whole(dollarsPerMonth)], LABEL);
    }
  }
  yield "";
  yield* elsewhere();
}

function* assumptions(simulated: readonly Simulated[], { saveEveryMs, loggedShare }: Settings): Generator<string> {
  for (const { workload } of simulated) {
    const { name, users, accounts, events } = workload;
    yield `${name} messages a month: ${whole(users)} users in ${whole(accounts)} accounts, ${events} event names`;
  }
  yield "Users are drawn by Zipf-Mandelbrot (the n-th with 1 / (n + users / 100)), names by Zipf, each message anew, by hour of the day";
  yield `${percent(SHARES.identify)} identify, ${percent(SHARES.group)} group, the rest tracks; ${percent(SHARES.minutesLate)} up to an hour late, ${percent(SHARES.daysLate)} one to three days; ${percent(SHARES.retried)} sent twice`;
  yield `A month in D1 and a year in R2; a year of counts and scores in D1; the plan costs ${BASE_DOLLARS} dollars a month`;
  yield `Counters are saved every ${saveEveryMs / 1_000} s, and ${percent(loggedShare)} of successful requests are logged`;
}

const perMessage = ({ rowsRead, rowsWritten }: Phase, messages: number) =>
  `${hundredths(rowsRead / messages)}, ${hundredths(rowsWritten / messages)}`;

function rowLine({ workload, messages, ingest, runs, archive }: Simulated): string {
  const cells = [
    ...ingest.map(({ phase }) => perMessage(phase, phase.stored)),
    perMessage(runs, messages),
    perMessage(archive, archive.messages),
    whole(runs.tasks),
  ];
  return row(`  ${workload.name}`, cells, LABEL);
}

/** What a destination that wants everything adds to a million messages. Its requests to the receiver are free. */
function notificationLine({ workload, messages, notifications: { news, stored, delivered } }: Simulated): string {
  const perMillion = (news / messages) * MILLION;
  const dollars = listPrice({ rowsWritten: perMillion * (stored + delivered) });
  return row(`  ${workload.name}`, [whole(perMillion), whole(stored), whole(delivered), dollars.toFixed(4)], LABEL);
}

function* elsewhere(): Generator<string> {
  const volumes = [1, 10, 1_000, 10_000];
  yield row(
    "Elsewhere, dollars per million",
    volumes.map((millions) => `${whole(millions)} M`),
    LABEL + 10,
  );
  for (const { name, source, dollars: priceOf } of ELSEWHERE) {
    const cells = volumes
      .map((millions) => priceOf(millions))
      .map((total, place) => (total === null ? "–" : hundredths(total / (volumes[place] ?? 1))));
    yield row(`  ${name}`, cells, LABEL + 10);
    yield `    ${source}`;
  }
}
