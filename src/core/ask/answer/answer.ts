/**
 * From a plan and its facts to an answer. Each subject has functions of its own for what it can be asked; what goes out
 * is checked against its evidence, whatever made it.
 */
import type { Day } from "../../health/model.ts";
import { dateOf } from "../../health/texts.ts";
import type { Answer, AskWindow, Facts, Freshness, Plan, TakenName, Understood } from "../model.ts";
import { answerAccount } from "./account-answers.ts";
import { checked } from "./check.ts";
import { subjectOfPlan } from "../plan-subject.ts";
import { countsEvents } from "./counts-events.ts";
import { answerFeature } from "./feature-answers.ts";
import { type Finding, type Ground, type Outcome, rollup } from "./finding.ts";
import { answerPortfolio } from "./portfolio-answers.ts";
import { answerUser } from "./user-answers.ts";
import { allOf, isoDay, quoted } from "./wording.ts";

/** What is said while there is more than can be counted. */
export const BEHIND = "More messages have arrived than are counted yet. Ask again in a few minutes.";

/** When it is asked. */
export interface AnswerClock {
  /** Milliseconds since the epoch. */
  now: number;
  /** As the asker's time zone has it. */
  today: Day;
}

type Asked = Extract<Understood, { ok: true }>;

/**
 * @param facts those that the plan asks for; others are a fault, which throws
 */
export function answerFor(understood: Asked, facts: Facts, freshness: Freshness, { now, today }: AnswerClock): Answer {
  const { plan, interpretation } = understood;
  // What two accounts are, other than what they did, is of no window.
  const window = plan.measure === "compare_accounts" && !countsEvents(plan) ? null : understood.window;
  if (freshness.isBehind && countsEvents(plan)) {
    return { knows: false, reason: "stale_data", detail: BEHIND, interpretation, window };
  }
  const outcome = outcomeOf(understood, facts, freshness, { now, today });
  if ("silence" in outcome) {
    const { silence: reason, ...rest } = outcome;
    return { knows: false, reason, ...rest, interpretation, window };
  }
  const { says, value, grounds, confidence } = outcome;
  const { taken } = understood;
  const isOfMessages = plan.measure === "new_accounts";
  const start = countsEvents(plan) && !isOfMessages ? recordedSince(understood, freshness.firstDay) : null;
  const answer: Answer = {
    knows: true,
    answer: [...(taken.length > 0 ? [disclosure(taken)] : []), says, ...(start === null ? [] : [start.says])].join(" "),
    ...(value !== undefined && { value }),
    interpretation,
    window,
    evidence: [...grounds, ...lengthOf(window), ...(start?.grounds ?? [])].map((ground, index) => ({
      id: `e${index + 1}`,
      asOf: now,
      ...ground,
    })),
    confidence: taken.length > 0 ? "medium" : (confidence ?? "high"),
  };
  return checked(
    answer,
    taken.flatMap(({ said, meant }) => [said, meant]),
  );
}

/** A window that nobody asked for is disclosed by its length. */
function lengthOf(window: AskWindow | null): Ground[] {
  return window?.phrase === null ? [rollup("window_days", window.to - window.from + 1, window)] : [];
}

/** A count of a time that begins before anything was recorded is one of less time. */
function recordedSince({ plan, window }: Asked, firstDay: Day | null): Finding | null {
  if (window === null || firstDay === null) return null;
  const from = "before" in plan ? Math.min(window.from, plan.before.from) : window.from;
  if (from >= firstDay || window.to < firstDay) return null;
  return {
    says: `No event was recorded before ${dateOf(firstDay)}.`,
    grounds: [{ kind: "event", measure: "recorded_since", value: isoDay(firstDay) }],
  };
}

function outcomeOf(understood: Asked, facts: Facts, freshness: Freshness, clock: AnswerClock): Outcome {
  const { plan, interpretation } = understood;
  const ask = { freshness, ...clock, name: nameOf(plan, interpretation.restated) };
  if (plan.subject === "account" && facts.subject === "account") return answerAccount({ ...ask, plan, facts });
  if (plan.subject === "user" && facts.subject === "user") return answerUser({ ...ask, plan, facts });
  if (plan.subject === "feature" && facts.subject === "feature") return answerFeature({ ...ask, plan, facts });
  if (plan.subject === "portfolio" && facts.subject === "portfolio") return answerPortfolio({ ...ask, plan, facts });
  throw new Error(`facts of a ${facts.subject} for a plan of a ${plan.subject}`);
}

/** As the question is restated: by the name where that says it, else by the external id. */
function nameOf(plan: Plan, restated: string): string {
  const subject = subjectOfPlan(plan);
  if (subject === null) return "";
  const { name, externalId } = subject;
  return quoted(name !== null && restated.includes(quoted(name)) ? name : externalId);
}

/** That names or words were misspelt, and what they were taken for. */
const disclosure = (taken: readonly TakenName[]): string =>
  `Taking ${allOf(taken.map(({ said, meant }) => `${quoted(said)} for ${quoted(meant)}`))}.`;
