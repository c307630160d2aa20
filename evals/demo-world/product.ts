/** Describes the product that the demo's accounts use: a tool for shared reports. */
import { between, chance, pick, pickWeighted, type Random, wholeBetween } from "../simulator/random.ts";

export interface Feature {
  /** The name as the sender writes it. The service stores `report.exported`. */
  event: string;
  /** The share of companies, and of their users, who use it. */
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

/** Released during the 90 days: only accounts that adopt it use it. */
export const NEW_FEATURE = feature("Forecast Created", 0.8, (random) => ({
  ...area(random),
  months: pick(random, [3, 6, 12]),
}));

/** A company adopts or drops a feature on a day. */
export interface FeatureChange {
  kind: "adopts" | "drops";
  event: string;
  day: number;
}

/** The features that a user uses, weighted by frequency. */
export type Habit = readonly { feature: Feature; weight: number }[];

/** Chooses the features that a company uses. It always uses the most popular ones. */
export function companyHabit(
  random: Random,
  featureChanges: readonly FeatureChange[],
  few: boolean,
): readonly Feature[] {
  const certain = few ? 1 : 2;
  const changedEvents = new Set(featureChanges.map(({ event }) => event));
  const usual = FEATURES.filter(
    ({ event, popularity }, index) =>
      index < certain || changedEvents.has(event) || (!few && chance(random, popularity)),
  );
  return changedEvents.has(NEW_FEATURE.event) ? [...usual, NEW_FEATURE] : usual;
}

/** Chooses the features that a user uses. All users take part when their company adopts or drops one. */
export function personHabit(
  random: Random,
  company: readonly Feature[],
  featureChanges: readonly FeatureChange[],
): Habit {
  const changedEvents = new Set(featureChanges.map(({ event }) => event));
  return company.flatMap((each, index) => {
    const weight = each.popularity * between(random, 0.3, 1);
    const uses = index === 0 || changedEvents.has(each.event) || chance(random, 0.35 + 0.6 * each.popularity);
    return uses ? [{ feature: each, weight }] : [];
  });
}

/** Chooses what a user does next on a day. */
export function useOf(random: Random, habit: Habit, featureChanges: readonly FeatureChange[], day: number): Feature {
  const weights = habit.map(({ feature: { event }, weight }) => {
    const isOut = featureChanges.some(
      (change) => change.event === event && (change.kind === "adopts" ? day < change.day : day >= change.day),
    );
    return isOut ? 0 : weight;
  });
  return habit[pickWeighted(random, weights)]?.feature ?? FEATURES[0];
}
