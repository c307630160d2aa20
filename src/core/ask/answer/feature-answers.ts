/** Answers about one feature, which is an event name: who uses it, and how much. */
import { inFigures } from "../../health/texts.ts";
import type { AskWindow, Entity, FeaturePlan, FeatureUse } from "../model.ts";
import { type Ask, factAt, type Finding, type Outcome, rollup, silence } from "./finding.ts";
import { type ListedRow, listing } from "./listing.ts";
import { amountOf, featureGrounds, trend, type Use } from "./use-answers.ts";
import { datesIn, inWindow, isoDay, ranked, several, severalOrNo, toOneDecimal } from "./wording.ts";

type FeatureAsk = Ask<FeaturePlan, "feature">;

/** An account or a user with its events of the feature. */
interface Using {
  entity: Entity;
  events: number;
}

export function answerFeature(ask: FeatureAsk): Outcome {
  const { plan, facts, name, freshness } = ask;
  const use = factAt(facts.uses, 0);
  switch (plan.measure) {
    case "accounts":
      return usedBy("account", accountsUsing(ask), ask, plan.window);
    case "users":
      return usedBy("user", usersUsing(ask), ask, plan.window);
    case "account_count":
      return countUsing("account", use.accounts.length, ask, plan.window);
    case "user_count":
      return countUsing("user", use.users.length, ask, plan.window);
    case "adoption":
      return adoption(ask, use.accounts.length, plan.window);
    case "event_count":
      return {
        says: `There ${use.events === 1 ? "was" : "were"} ${amountOf(use.events, "events", plan.feature)} ${inWindow(plan.window)}.`,
        value: use.events,
        grounds: [rollup("events", use.events, plan.window), ...featureGrounds(plan.feature)],
      };
    case "stopped":
      return stopped(ask, plan.window, plan.before);
    case "trend": {
      const asked = { window: plan.window, before: plan.before, since: freshness.firstDay };
      return trend(name, useOf(use), useOf(factAt(facts.uses, 1)), asked, freshness);
    }
  }
}

/** A feature is used by its events alone. */
const useOf = ({ events }: FeatureUse): Use => ({ events, activeDays: 0, features: [] });

const accountsUsing = ({ facts }: FeatureAsk, index = 0): Using[] =>
  factAt(facts.uses, index).accounts.map(({ account, events }) => ({ entity: account, events }));

const usersUsing = ({ facts }: FeatureAsk): Using[] =>
  factAt(facts.uses, 0).users.map(({ user, events }) => ({ entity: user, events }));

/** The most events first, in a window. */
function rowsOf(using: readonly Using[], window: AskWindow): ListedRow[] {
  return ranked(
    using,
    ({ events }) => events,
    ({ entity }) => entity,
  ).map(({ entity, events }) => ({
    entity,
    says: several(events, "event"),
    fields: { events },
    grounds: [rollup("events", events, window)],
  }));
}

function usedBy(noun: string, using: readonly Using[], { name }: FeatureAsk, window: AskWindow): Finding {
  const head = `${severalOrNo(using.length, noun)} used ${name} ${inWindow(window)}`;
  return listing(head, rowsOf(using, window), [rollup(`${noun}s`, using.length, window)]);
}

function countUsing(noun: string, count: number, { name }: FeatureAsk, window: AskWindow): Finding {
  return {
    says: `${severalOrNo(count, noun)} used ${name} ${inWindow(window)}.`,
    value: count,
    grounds: [rollup(`${noun}s`, count, window)],
  };
}

/** The share of the active accounts that use it. Of none there is no share. */
function adoption({ facts, name }: FeatureAsk, using: number, window: AskWindow): Outcome {
  const { activeAccounts } = facts;
  if (activeAccounts === 0) return silence("no_data_in_window", `No account was active ${datesIn(window)}.`);
  const percent = toOneDecimal((using / activeAccounts) * 100);
  const ofActive = `${inFigures(using)} of ${several(activeAccounts, "active account")}`;
  return {
    says: `${ofActive} used ${name} ${inWindow(window)}: ${inFigures(percent)}%.`,
    value: percent,
    grounds: [
      rollup("accounts", using, window),
      rollup("active_accounts", activeAccounts, window),
      rollup("adoption_percent", percent, window),
    ],
  };
}

/** Accounts that used it before and no more. */
function stopped(ask: FeatureAsk, window: AskWindow, before: AskWindow): Outcome {
  const { name, freshness } = ask;
  if (freshness.firstDay === null || freshness.firstDay > before.to) {
    return silence("insufficient_history", `What is known does not reach back to ${isoDay(before.to)}.`);
  }
  const still = new Set(accountsUsing(ask).map(({ entity }) => entity.id));
  const then = accountsUsing(ask, 1);
  const gone = then.filter(({ entity }) => !still.has(entity.id));
  const that = `${severalOrNo(gone.length, "account")} that used ${name} ${datesIn(before)}`;
  const head = `${that} ${gone.length === 0 ? "stopped using it" : "did not use it"} ${inWindow(window)}`;
  return listing(head, rowsOf(gone, before), [
    rollup("stopped", gone.length, window),
    rollup("accounts", then.length, before),
  ]);
}
