/** Two accounts beside each other, by what both have. */
import type { AttributeValues } from "../../health/model.ts";
import { dateOf } from "../../health/texts.ts";
import type { AccountPlan, ActivityMetric, Entity } from "../model.ts";
import { money, moneyGrounds, unmeasured } from "./account-attribute-answers.ts";
import { leadOf } from "./comparison.ts";
import {
  type Ask,
  attribute,
  factAt,
  type Ground,
  idsOf,
  nameGrounds,
  type Outcome,
  rollup,
  silence,
} from "./finding.ts";
import { isUncertain, noteOn, scoreAndState, scoredHealth, scoreGrounds } from "./health-answers.ts";
import { amountOf, featureGrounds, figureOf } from "./use-answers.ts";
import { inWindow, named, several } from "./wording.ts";

type AccountAsk = Ask<AccountPlan, "account">;
type ComparePlan = Extract<AccountPlan, { measure: "compare_accounts" }>;

/** One of the two. */
interface Side {
  account: Entity;
  name: string;
  value: number;
  /** `80 events`. */
  says: string;
  grounds: readonly Ground[];
}

export function compareAccounts(ask: AccountAsk, plan: ComparePlan): Outcome {
  switch (plan.metric) {
    case "health":
      return compareHealth(ask, plan);
    case "mrr":
      return compareMrr(ask, plan);
    case "seats":
      return compareSeats(ask, plan);
    case "events":
    case "active_users":
    case "active_days":
      return compareUse(ask, plan, plan.metric);
  }
}

/** Both accounts with their names, in the order of the facts. */
const namesOf = ({ name }: AccountAsk, { account, other }: ComparePlan) =>
  [
    { account, name },
    { account: other, name: named(other) },
  ] as const;

function compareUse(ask: AccountAsk, plan: ComparePlan, metric: ActivityMetric): Outcome {
  const sides = namesOf(ask, plan).map(({ account, name }, index): Side => {
    const value = figureOf(factAt(ask.facts.uses, index), metric, plan.feature);
    const says = amountOf(value, metric, plan.feature);
    return { account, name, value, says, grounds: [rollup(metric, value, plan.window)] };
  });
  return beside(sides, "had", ` ${inWindow(plan.window)}`, metric, featureGrounds(plan.feature), "rollup");
}

function compareSeats(ask: AccountAsk, plan: ComparePlan): Outcome {
  const sides: Side[] = [];
  for (const [index, { account, name }] of namesOf(ask, plan).entries()) {
    const { seats } = factAt(ask.facts.attributes, index);
    if (seats === undefined) return unmeasured(name, "seats");
    sides.push({ account, name, value: seats, says: several(seats, "seat"), grounds: [attribute("seats", seats)] });
  }
  return beside(sides, "has", "", "seats", [], "attribute");
}

function compareMrr(ask: AccountAsk, plan: ComparePlan): Outcome {
  const sides: Side[] = [];
  const currencies = new Set<AttributeValues["currency"]>();
  for (const [index, { account, name }] of namesOf(ask, plan).entries()) {
    const { mrr, currency } = factAt(ask.facts.attributes, index);
    if (mrr === undefined) return unmeasured(name, "mrr");
    currencies.add(currency);
    const says = `an MRR of ${money(mrr, currency)}`;
    sides.push({ account, name, value: mrr, says, grounds: moneyGrounds(mrr, currency) });
  }
  if (currencies.size > 1) return silence("mixed_currency", mixedSides(sides), "What is the MRR by currency?");
  return beside(sides, "has", "", "mrr", [], "attribute");
}

const mixedSides = (sides: readonly Side[]): string =>
  `Their MRR is not in one currency: ${sides.map(({ name, says }) => `${name} has ${says}`).join(", ")}.`;

function compareHealth(ask: AccountAsk, plan: ComparePlan): Outcome {
  const sides: Side[] = [];
  const notes = new Set<string>();
  let isMedium = false;
  for (const [index, { account, name }] of namesOf(ask, plan).entries()) {
    const scored = scoredHealth(name, factAt(ask.facts.health, index));
    if ("silence" in scored) return scored;
    const { health, score } = scored;
    const says = `a health score of ${scoreAndState(scored)} on ${dateOf(health.day)}`;
    sides.push({ account, name, value: score, says, grounds: scoreGrounds(scored) });
    notes.add(noteOn(health));
    isMedium ||= isUncertain(health);
  }
  const compared = beside(sides, "had", "", "score", [], "health");
  const says = [compared.says, ...notes].filter((sentence) => sentence !== "").join(" ");
  return { ...compared, says, ...(isMedium && { confidence: "medium" }) };
}

function beside(
  sides: readonly Side[],
  verb: string,
  when: string,
  measure: string,
  grounds: readonly Ground[],
  kind: Ground["kind"],
) {
  const [one, other] = [factAt(sides, 0), factAt(sides, 1)];
  const lead = leadOf(one, other, kind);
  return {
    says: `${one.name} ${verb} ${one.says} and ${other.name} ${other.says}${when}: ${lead.says}.`,
    value: sides.map(({ account, value }) => ({ ...idsOf(account), [measure]: value })),
    grounds: [...sides.flatMap((side) => [...nameGrounds(side.account), ...side.grounds]), ...grounds, ...lead.grounds],
  };
}
