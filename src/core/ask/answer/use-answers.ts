/** What an account or a user did in a window: how often, on how many days, with what, and against the time before. */
import type { Day } from "../../health/model.ts";
import { inFigures } from "../../health/texts.ts";
import type { ActivityMetric, AskWindow, Entity, Freshness } from "../model.ts";
import { differenceFrom } from "./comparison.ts";
import {
  attribute,
  eventsOf,
  type Finding,
  type Ground,
  type Outcome,
  reachesBack,
  rollup,
  silence,
} from "./finding.ts";
import { type ListedRow, listing } from "./listing.ts";
import { datesIn, inWindow, isoDay, quoted, ranked, several } from "./wording.ts";

/** Of an account or a user. */
export interface Use {
  events: number;
  activeDays: number;
  features: readonly { feature: Entity; events: number }[];
  /** Of an account. */
  users?: readonly unknown[];
}

/** A figure of a use; of a feature's where one was asked for. */
export function figureOf(use: Use, metric: ActivityMetric, feature: Entity | undefined): number {
  switch (metric) {
    case "events":
      return feature === undefined ? use.events : eventsOf(use.features, feature);
    case "active_users":
      return use.users?.length ?? 0;
    case "active_days":
      return use.activeDays;
  }
}

/** `42 events`, `3 users with a "report.exported" event`. */
export function amountOf(count: number, metric: ActivityMetric, feature: Entity | undefined): string {
  const event = feature === undefined ? "" : `${quoted(feature.externalId)} event`;
  switch (metric) {
    case "events":
      return several(count, event === "" ? "event" : event);
    case "active_users":
      return event === ""
        ? several(count, "active user")
        : several(count, `user with a ${event}`, `users with a ${event}`);
    case "active_days":
      return event === ""
        ? several(count, "active day")
        : several(count, `day with a ${event}`, `days with a ${event}`);
  }
}

/** The name that `amountOf` says. */
export const featureGrounds = (feature: Entity | undefined): Ground[] =>
  feature === undefined ? [] : [attribute("feature", feature.externalId)];

export function countUse(name: string, use: Use, metric: ActivityMetric, window: AskWindow, feature?: Entity): Finding {
  const value = figureOf(use, metric, feature);
  return {
    says: `${name} had ${amountOf(value, metric, feature)} ${inWindow(window)}.`,
    value,
    grounds: [rollup(metric, value, window), ...featureGrounds(feature)],
  };
}

export function usesFeature(name: string, use: Use, window: AskWindow, feature: Entity): Finding {
  const finding = countUse(name, use, "events", window, feature);
  const isUsed = eventsOf(use.features, feature) > 0;
  return { ...finding, says: `${isUsed ? "Yes" : "No"}: ${finding.says}`, value: isUsed };
}

/** How many features were used, and which. */
export function featuresUsed(name: string, use: Use, window: AskWindow): Finding {
  const used = usedFeatures(use);
  const rows = used.map(({ feature, events }): ListedRow => ({
    entity: feature,
    says: several(events, "event"),
    fields: { events },
    grounds: [rollup("events", events, window)],
  }));
  const head = `${name} used ${several(used.length, "feature")} ${inWindow(window)}`;
  return listing(head, rows, [rollup("features", used.length, window)]);
}

export function countFeatures(name: string, use: Use, window: AskWindow): Finding {
  const { length } = usedFeatures(use);
  return {
    says: `${name} used ${several(length, "feature")} ${inWindow(window)}.`,
    value: length,
    grounds: [rollup("features", length, window)],
  };
}

/** The most events first. */
function usedFeatures({ features }: Use): Use["features"] {
  const used = features.filter(({ events }) => events > 0);
  return ranked(
    used,
    ({ events }) => events,
    ({ feature }) => feature,
  );
}

export interface Comparison {
  metric: ActivityMetric;
  window: AskWindow;
  before: AskWindow;
  feature?: Entity | undefined;
  /** The first day of which anything of the subject is known. */
  since: Day | null;
}

/** A window beside the one before it: both figures, and which way it goes. */
export function compareWindows(name: string, now: Use, then: Use, asked: Comparison, freshness: Freshness): Outcome {
  const { metric, window, before, feature, since } = asked;
  if (!reachesBack(before, since, freshness)) {
    return silence("insufficient_history", `What is known of ${name} does not reach back to ${isoDay(before.from)}.`);
  }
  const [value, earlier] = [figureOf(now, metric, feature), figureOf(then, metric, feature)];
  const difference = differenceFrom(earlier, value, "rollup");
  const lengths = unequalLengths(window, before);
  return {
    says:
      `${name} had ${amountOf(value, metric, feature)} ${inWindow(window)} ` +
      `and ${amountOf(earlier, metric, feature)} ${datesIn(before)}: ${difference.says}.${lengths.says}`,
    value: [
      { from: isoDay(window.from), to: isoDay(window.to), [metric]: value },
      { from: isoDay(before.from), to: isoDay(before.to), [metric]: earlier },
    ],
    grounds: [
      rollup(metric, value, window),
      rollup(metric, earlier, before),
      ...difference.grounds,
      ...featureGrounds(feature),
      ...lengths.grounds,
    ],
  };
}

/** That a comparison is one of more days with fewer. */
export function unequalLengths(window: AskWindow, before: AskWindow): Pick<Finding, "says" | "grounds"> {
  const [days, earlier] = [window, before].map(({ from, to }) => to - from + 1);
  if (days === undefined || earlier === undefined || days === earlier) return { says: "", grounds: [] };
  return {
    says: ` That is ${several(days, "day")} against ${inFigures(earlier)}.`,
    grounds: [rollup("days", days, window), rollup("days", earlier, before)],
  };
}

/** The same of events, as a direction. */
export function trend(
  name: string,
  now: Use,
  then: Use,
  asked: Omit<Comparison, "metric">,
  freshness: Freshness,
): Outcome {
  const compared = compareWindows(name, now, then, { ...asked, metric: "events" }, freshness);
  if ("silence" in compared) return compared;
  const difference = differenceFrom(
    figureOf(then, "events", asked.feature),
    figureOf(now, "events", asked.feature),
    "rollup",
  );
  return { ...compared, value: difference.direction };
}
