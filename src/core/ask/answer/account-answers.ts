/** Answers about one account. */
import { inFigures } from "../../health/texts.ts";
import type { AccountPlan, AskWindow, Entity } from "../model.ts";
import { answerAttribute, seatUse } from "./account-attribute-answers.ts";
import { compareAccounts } from "./account-comparison.ts";
import { type Ask, factAt, type Finding, type Outcome, rollup } from "./finding.ts";
import { answerHealth } from "./health-answers.ts";
import { openItems } from "./item-answers.ts";
import { type ListedRow, listing, SHOWN_ROWS } from "./listing.ts";
import { knownSince, lastSeen } from "./moment-answers.ts";
import { trait } from "./trait-answers.ts";
import {
  amountOf,
  compareWindows,
  countFeatures,
  countUse,
  featureGrounds,
  featuresUsed,
  trend,
  usesFeature,
} from "./use-answers.ts";
import { compareTexts, dayOf, inWindow, isoDay, several } from "./wording.ts";

type AccountAsk = Ask<AccountPlan, "account">;

export function answerAccount(ask: AccountAsk): Outcome {
  const { plan, facts, name, freshness, today } = ask;
  const use = (index = 0) => factAt(facts.uses, index);
  switch (plan.measure) {
    case "health":
    case "health_why":
    case "changes":
      return answerHealth(name, factAt(facts.health, 0), plan.measure);
    case "trial_end":
    case "trial_days_left":
    case "plan":
    case "seats":
    case "mrr":
    case "stage":
      return answerAttribute(ask, plan.measure, factAt(facts.attributes, 0));
    case "trait":
      return trait(name, facts.traits, plan.key);
    case "last_seen":
      return lastSeen(name, facts.lastEventAt, today);
    case "since":
      return knownSince(name, facts.firstSeenAt, freshness.firstDay);
    case "items":
      return openItems(facts.items, ` about ${name}`, SHOWN_ROWS, freshness);
    case "seat_use":
      return seatUse(name, use(), factAt(facts.attributes, 0), plan.window);
    case "event_count":
      return countUse(name, use(), "events", plan.window, plan.feature);
    case "active_users":
    case "active_days":
      return countUse(name, use(), plan.measure, plan.window, plan.feature);
    case "active_user_list":
      return activeUsers(ask, plan.window, plan.feature);
    case "features_used":
      return featuresUsed(name, use(), plan.window);
    case "feature_count":
      return countFeatures(name, use(), plan.window);
    case "features_not_used":
      return featuresNotUsed(ask, plan.window);
    case "uses_feature":
      return usesFeature(name, use(), plan.window, plan.feature);
    case "trend":
    case "compare_windows": {
      const asked = {
        window: plan.window,
        before: plan.before,
        feature: plan.feature,
        since: dayOf(facts.firstSeenAt),
      };
      return plan.measure === "trend"
        ? trend(name, use(), use(1), asked, freshness)
        : compareWindows(name, use(), use(1), { ...asked, metric: plan.metric }, freshness);
    }
    case "compare_accounts":
      return compareAccounts(ask, plan);
  }
}

/** Those with an event, the most active days first. */
function activeUsers({ facts, name }: AccountAsk, window: AskWindow, feature?: Entity): Finding {
  const { users } = factAt(facts.uses, 0);
  const rows = users
    .toSorted((a, b) => b.days - a.days || b.lastDay - a.lastDay || compareTexts(a.user.externalId, b.user.externalId))
    .map(({ user, days, lastDay }): ListedRow => ({
      entity: user,
      says: feature === undefined ? several(days, "active day") : several(days, "day"),
      fields: { days, lastDay: isoDay(lastDay) },
      grounds: [rollup("active_days", days, window)],
    }));
  const head = `${name} had ${amountOf(users.length, "active_users", feature)} ${inWindow(window)}`;
  return listing(head, rows, [rollup("active_users", users.length, window), ...featureGrounds(feature)]);
}

/** Event names of the workspace without an event of the account's. */
function featuresNotUsed({ facts, name }: AccountAsk, window: AskWindow): Finding {
  const used = new Set(
    factAt(facts.uses, 0).features.flatMap(({ feature, events }) => (events > 0 ? feature.externalId : [])),
  );
  const unused = facts.knownFeatures
    .filter(({ externalId }) => !used.has(externalId))
    .toSorted((a, b) => compareTexts(a.externalId, b.externalId));
  const known = facts.knownFeatures.length;
  const ofKnown = `of the ${several(known, "known feature")}`;
  const all = known === 1 ? "the only known feature" : `all ${ofKnown}`;
  const some = known === 1 ? "the only known feature" : `${inFigures(unused.length)} ${ofKnown}`;
  const does = unused.length === 0 ? `used ${all}` : `did not use ${some}`;
  const head = known === 0 ? `There is no known feature that ${name} could use` : `${name} ${does} ${inWindow(window)}`;
  const rows = unused.map((entity): ListedRow => ({ entity, says: "", fields: {}, grounds: [] }));
  return listing(head, rows, [
    rollup("features_not_used", unused.length, window),
    rollup("known_features", known, window),
  ]);
}
