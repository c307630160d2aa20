/** Answers about one user. */
import type { Entity, UserPlan } from "../model.ts";
import { type Ask, attribute, factAt, type Finding, nameGrounds, type Outcome } from "./finding.ts";
import { firstSeen, lastSeen } from "./moment-answers.ts";
import { trait } from "./trait-answers.ts";
import { countUse, featuresUsed, trend, usesFeature } from "./use-answers.ts";
import { named } from "./wording.ts";

export function answerUser({ plan, facts, name, freshness, today }: Ask<UserPlan, "user">): Outcome {
  const use = (index = 0) => factAt(facts.uses, index);
  switch (plan.measure) {
    case "last_seen":
      return lastSeen(name, facts.lastEventAt, today);
    case "first_seen":
      return firstSeen(name, facts.firstDay, freshness.firstDay);
    case "account":
      return accountOf(name, facts.account);
    case "trait":
      return trait(name, facts.traits, plan.key);
    case "event_count":
      return countUse(name, use(), "events", plan.window, plan.feature);
    case "active_days":
      return countUse(name, use(), "active_days", plan.window, plan.feature);
    case "features_used":
      return featuresUsed(name, use(), plan.window);
    case "uses_feature":
      return usesFeature(name, use(), plan.window, plan.feature);
    case "trend": {
      const asked = { window: plan.window, before: plan.before, since: facts.firstDay };
      return trend(name, use(), use(1), asked, freshness);
    }
  }
}

function accountOf(name: string, account: Entity | null): Finding {
  if (account === null) return { says: `${name} is in no account.`, grounds: [attribute("account", null)] };
  return {
    says: `${name} is in the account ${named(account)}.`,
    value: account.externalId,
    grounds: nameGrounds(account),
  };
}
