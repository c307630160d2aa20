/** What may be asked of all accounts together: how many and which, what they are worth, and what is due. */
import { typedKeys } from "../../typed-keys.ts";
import type { HealthState, Stage } from "../../health/model.ts";
import type { Concept } from "../lexicon/concept-words.ts";
import type { AccountFilter, PortfolioPlan } from "../model.ts";
import { ABOUT_NOW, eachOf, PAST, type Rule, type Slots, withEach } from "./rule.ts";

const STATES = {
  healthyState: "healthy",
  watchState: "watch",
  riskState: "at_risk",
  unknownState: "insufficient_data",
  staleState: "stale",
} as const satisfies Partial<Record<Concept, HealthState>>;
const STAGES = {
  trialStage: "trial",
  activeStage: "active",
  payingStage: "active",
  churnedStage: "churned",
} as const satisfies Partial<Record<Concept, Stage>>;
const STATE_CONCEPTS = typedKeys(STATES);
const STAGE_CONCEPTS = typedKeys(STAGES);
const FILTERS = [...STATE_CONCEPTS, ...STAGE_CONCEPTS];
const PAIRS = STATE_CONCEPTS.flatMap((state) => STAGE_CONCEPTS.map((stage): readonly Concept[] => [state, stage]));
const MAY: readonly Concept[] = [...ABOUT_NOW, "portfolio"];
const DEFAULT_LIMIT = 10;
const MOST_LISTED = 100;
const names = {};

/** `null` where it can't be told. */
function filterOf({ has, says, planName }: Slots): AccountFilter | null {
  const states = [...new Set(STATE_CONCEPTS.filter(has).map((concept) => STATES[concept]))];
  const stages = [...new Set(STAGE_CONCEPTS.filter(has).map((concept) => STAGES[concept]))];
  const [[state], [stage]] = [states, stages];
  // How it was is not how it is, and what has churned has no state.
  if (states.length > 1 || stages.length > 1 || (state !== undefined && stage === "churned")) return null;
  if (state !== undefined && says(...PAST)) return null;
  return {
    ...(state !== undefined && { state }),
    ...(stage !== undefined && { stage }),
    ...(planName !== undefined && { plan: planName }),
  };
}

function filtered(measure: "account_count" | "account_list", rule: Pick<Rule, "ways"> & Partial<Rule>): Rule {
  return {
    names,
    time: "now",
    plan: (slots) => {
      const filter = filterOf(slots);
      // Active accounts are those that did something, unless the stage is spoken of.
      const isPast = slots.has("activeStage") && !slots.has("stage");
      return filter === null || isPast ? null : { subject: "portfolio", measure, filter };
    },
    ...rule,
    may: [...MAY, "stage", "state", ...(rule.may ?? [])],
  };
}

const isNow = (plan: (slots: Slots) => PortfolioPlan | null, rule: Pick<Rule, "ways"> & Partial<Rule>): Rule => ({
  names,
  time: "now",
  plan,
  ...rule,
  may: [...MAY, ...(rule.may ?? [])],
});

/** With as many as were asked for, or one where one thing is spoken of. */
export function limited(
  { number, has, says }: Slots,
  planOf: (limit: number) => PortfolioPlan,
  ...singular: readonly string[]
): PortfolioPlan | null {
  const limit = number ?? ((has("accountOne") && !has("accountMany")) || says(...singular) ? 1 : DEFAULT_LIMIT);
  return limit < 1 || limit > MOST_LISTED ? null : planOf(limit);
}

export const PORTFOLIO_RULES: readonly Rule[] = [
  filtered("account_count", {
    ways: [
      ["howMany", "accountMany"],
      ...withEach([["howMany"], ["howMany", "accountMany"]], [...eachOf(...FILTERS), ...PAIRS]),
    ],
    may: ["total"],
    butNot: ["which", "who", "new"],
  }),
  filtered("account_count", {
    ways: [
      ["howMany"],
      ["howMany", "plan"],
      ["howMany", "accountMany"],
      ["howMany", "plan", "accountMany"],
      ...withEach([["howMany", "accountMany"]], eachOf(...FILTERS)),
    ],
    may: ["total", "plan", "pay", "type", "use"],
    takesPlan: "one",
    butNot: ["which", "who"],
  }),
  filtered("account_list", {
    ways: [
      ["listing", "accountMany"],
      ["who", "accountMany"],
      ...withEach(
        [["accountMany"], ["who"], ["listing"], ["listing", "accountMany"]],
        [...eachOf(...FILTERS), ...PAIRS],
      ),
    ],
    may: ["who", "accountMany"],
    plan: (slots) => {
      const filter = filterOf(slots);
      // Those at risk have a measure of their own, which tells why.
      const isRiskAlone = filter?.state === "at_risk" && filter.stage === undefined;
      const isPast = slots.has("activeStage") && !slots.has("stage");
      return filter === null || isRiskAlone || isPast
        ? null
        : { subject: "portfolio", measure: "account_list", filter };
    },
  }),
  filtered("account_list", {
    ways: [
      ["accountMany"],
      ["listing", "accountMany"],
      ["who"],
      ["listing", "plan"],
      ["who", "plan"],
      ["accountMany", "plan"],
      ...withEach([["accountMany"]], eachOf(...FILTERS)),
    ],
    may: ["plan", "pay", "who", "type", "accountMany", "use"],
    takesPlan: "one",
  }),
  isNow(() => ({ subject: "portfolio", measure: "at_risk" }), {
    ways: withEach([["riskState"]], eachOf("accountMany", "who", "listing", "why", "what")),
    may: ["why", "and", "accountMany", "who", "how"],
    butNot: PAST,
  }),
  // Apart by currency is the only way in which it is told.
  isNow(
    ({ has }) =>
      has("breakdown") && !has("currency") ? null : { subject: "portfolio", measure: "mrr", total: !has("currency") },
    {
      ways: [["mrr"], ["mrr", "total"], ["mrr", "currency"]],
      may: ["how", "howMuch", "total", "currency", "breakdown", "by", "perMonth", "accountMany", "pay", "bought"],
      butNot: ["which", "who", "list", "top", "whose"],
    },
  ),
  isNow((slots) => limited(slots, (limit) => ({ subject: "portfolio", measure: "top", by: "mrr", limit })), {
    ways: [
      ...withEach([["accountMany"], ["accountOne"], ["who"]], [["top", "mrr"], ["value"], ["top", "pay"]]),
      ["top", "mrr"],
      ["top", "mrr", "listing"],
    ],
    may: ["by", "who", "accountMany", "accountOne", "top", "howMuch", "perMonth", "total", "pay", "mrr", "bought"],
    takesNumber: true,
  }),
  isNow((slots) => limited(slots, (limit) => ({ subject: "portfolio", measure: "top", by: "seats", limit })), {
    ways: withEach([["top", "seats"]], eachOf("accountMany", "accountOne", "who")),
    may: ["by", "howMany", "who", "accountMany", "accountOne", "bought", "total"],
    takesNumber: true,
  }),
  isNow((slots) => limited(slots, (limit) => ({ subject: "portfolio", measure: "items", limit })), {
    ways: [["items"]],
    may: ["open", "howMany", "thing", "top", "accountMany", "who", "total", "active"],
    takesNumber: true,
  }),
  {
    names,
    ways: [["trialsMany", "end"], ...withEach([["trial", "end"]], eachOf("accountMany", "who", "listing"))],
    may: [...MAY, "trial", "trialsMany", "soon", "will", "accountMany", "who", "howMany", "total"],
    time: "ahead",
    plan: ({ window }) => ({ subject: "portfolio", measure: "trials_ending", window }),
  },
];
