/** The product that the demo's accounts use: reports that people make together. */
import { between, chance, pick, pickWeighted, type Random, wholeBetween } from "../health/workspace/random.ts";

export interface Feature {
  /** As its sender writes it; the service stores the dotted form, `report.exported`. */
  event: string;
  /** Of the companies and of their people, the share that has taken it up. */
  popularity: number;
  properties: (random: Random) => Readonly<Record<string, string | number>>;
}

const AREAS = ["Revenue", "Pipeline", "Costs", "Headcount", "Support"] as const;
const area = (random: Random) => ({ area: pick(random, AREAS) });

const feature = (event: string, popularity: number, properties: Feature["properties"] = area): Feature => ({
  event,
  popularity,
  properties,
});

const FEATURES = [
  feature("Report Viewed", 1),
  feature("Report Exported", 0.8, (random) => ({
    ...area(random),
    format: pick(random, ["pdf", "xlsx", "csv"]),
    rows: wholeBetween(random, 20, 5_000),
  })),
  feature("Dashboard Opened", 0.9),
  feature("Report Edited", 0.75),
  feature("Comment Added", 0.7),
  feature("Report Shared", 0.55, (random) => ({ ...area(random), with: pick(random, ["team", "guest", "link"]) })),
  feature("Filter Saved", 0.45),
  feature("Report Scheduled", 0.4, (random) => ({ ...area(random), every: pick(random, ["day", "week", "month"]) })),
  feature("Alert Created", 0.35, (random) => ({ ...area(random), threshold: wholeBetween(random, 5, 50) })),
  feature("Data Source Synced", 0.3, (random) => ({
    source: pick(random, ["warehouse", "crm", "spreadsheet"]),
    rows: wholeBetween(random, 1_000, 90_000),
  })),
  feature("API Called", 0.12, (random) => ({ route: pick(random, ["/reports", "/rows"]), status: 200 })),
] as const;

/** Came out while we look: only those who are said to take it up ever use it. */
export const NEW_FEATURE = feature("Forecast Created", 0.8, (random) => ({
  ...area(random),
  months: pick(random, [3, 6, 12]),
}));

/** What a company turns to, or away from, on a day. */
export interface Turn {
  kind: "takes_up" | "drops";
  event: string;
  day: number;
}

/** What somebody uses, and how often each of it against the others. */
export type Habit = readonly { feature: Feature; weight: number }[];

/** The features that a company has taken up: the most popular of them for sure, so that few is few. */
export function companyHabit(random: Random, turns: readonly Turn[], few: boolean): readonly Feature[] {
  const certain = few ? 1 : 2;
  const turned = new Set(turns.map(({ event }) => event));
  const usual = FEATURES.filter(
    ({ event, popularity }, place) => place < certain || turned.has(event) || (!few && chance(random, popularity)),
  );
  return turned.has(NEW_FEATURE.event) ? [...usual, NEW_FEATURE] : usual;
}

/** A person's share of them. Whoever turns, turns with the company, so what it turns to or from is everybody's. */
export function personHabit(random: Random, company: readonly Feature[], turns: readonly Turn[]): Habit {
  const turned = new Set(turns.map(({ event }) => event));
  return company.flatMap((each, place) => {
    const weight = each.popularity * between(random, 0.3, 1);
    const uses = place === 0 || turned.has(each.event) || chance(random, 0.35 + 0.6 * each.popularity);
    return uses ? [{ feature: each, weight }] : [];
  });
}

/** What somebody does next, on a day. */
export function useOf(random: Random, habit: Habit, turns: readonly Turn[], day: number): Feature {
  const weights = habit.map(({ feature: { event }, weight }) => {
    const isOut = turns.some(
      (turn) => turn.event === event && (turn.kind === "takes_up" ? day < turn.day : day >= turn.day),
    );
    return isOut ? 0 : weight;
  });
  return habit[pickWeighted(random, weights)]?.feature ?? FEATURES[0];
}
