/** What the sender says an account is: its trial, plan, seats, MRR and stage. What it never said is not answered. */
import { readStage } from "../../health/stage.ts";
import { dateOf } from "../../health/texts.ts";
import type { AttributeValues, Day } from "../../health/model.ts";
import { readIsoTime } from "../../ingest/iso-time.ts";
import type { AccountPlan, AccountUse, AskWindow } from "../model.ts";
import {
  type Ask,
  attribute,
  type Finding,
  type Ground,
  type Outcome,
  rollup,
  type Silence,
  silence,
} from "./finding.ts";
import { dayOf, inExactFigures, inWindow, isoTime, quoted, several, toOneDecimal } from "./wording.ts";

type Attribute = Extract<AccountPlan["measure"], "trial_end" | "trial_days_left" | "plan" | "seats" | "mrr" | "stage">;

const ATTRIBUTE_WORDS = {
  trialEndsAt: "end of a trial",
  plan: "plan",
  seats: "number of seats",
  mrr: "MRR",
  stage: "stage",
  currency: "currency",
} as const satisfies Record<keyof AttributeValues, string>;

export const unmeasured = (name: string, what: keyof AttributeValues): Silence =>
  silence("unmeasured_attribute", `No ${ATTRIBUTE_WORDS[what]} of ${name} is known.`);

export function answerAttribute(
  { name, now, today }: Pick<Ask<AccountPlan, "account">, "name" | "now" | "today">,
  measure: Attribute,
  values: AttributeValues,
): Outcome {
  const { plan, seats, stage } = values;
  switch (measure) {
    case "trial_end":
    case "trial_days_left":
      return trialEnd(name, measure, values, { now, today });
    case "plan":
      if (plan === undefined) return unmeasured(name, "plan");
      return stating(`${name} is on the plan ${quoted(plan)}.`, plan, [attribute("plan", plan)]);
    case "seats":
      if (seats === undefined) return unmeasured(name, "seats");
      return stating(`${name} has ${several(seats, "seat")}.`, seats, [attribute("seats", seats)]);
    case "mrr":
      return mrr(name, values);
    case "stage":
      if (stage === undefined) return unmeasured(name, "stage");
      return stating(`The stage of ${name} is ${quoted(stage)}.`, stage, [attribute("stage", stage)]);
  }
}

const stating = (says: string, value: string | number, grounds: readonly Ground[]): Finding => ({
  says,
  value,
  grounds,
});

/** `1,200 EUR`; an amount without a currency is told as one. */
export function money(amount: number, currency: string | undefined): string {
  return `${inExactFigures(amount)}${currency === undefined ? " in no known currency" : ` ${currency}`}`;
}

export function moneyGrounds(amount: number, currency: string | undefined): Ground[] {
  return [attribute("mrr", amount), attribute("currency", currency ?? null)];
}

function mrr(name: string, { mrr: amount, currency }: AttributeValues): Outcome {
  if (amount === undefined) return unmeasured(name, "mrr");
  return stating(`The MRR of ${name} is ${money(amount, currency)}.`, amount, moneyGrounds(amount, currency));
}

function trialEnd(
  name: string,
  measure: "trial_end" | "trial_days_left",
  { trialEndsAt, stage }: AttributeValues,
  { now, today }: { now: number; today: Day },
): Outcome {
  const end = readIsoTime(trialEndsAt, false);
  if (end === null) return unmeasured(name, "trialEndsAt");
  const grounds = [attribute("trial_ends_at", isoTime(end))];
  const on = dateOf(dayOf(end));
  let says = `The trial of ${name} ${end < now ? "ended" : "ends"} on ${on}`;
  const left = Math.max(0, dayOf(end) - today);
  if (measure === "trial_days_left") {
    says += `: ${several(left, "day")} left`;
    grounds.push(attribute("days_left", left));
  }
  const known = readStage(stage);
  // A date outlives the trial that it was the end of.
  if (stage !== undefined && !(known.known && known.stage === "trial")) {
    says += `. Its stage is ${quoted(stage)} now`;
    grounds.push(attribute("stage", stage));
  }
  return stating(`${says}.`, measure === "trial_end" ? isoTime(end) : left, grounds);
}

/** Active users against the seats that are paid for. */
export function seatUse(name: string, { users }: AccountUse, { seats }: AttributeValues, window: AskWindow): Outcome {
  if (seats === undefined) return unmeasured(name, "seats");
  if (seats === 0) return silence("unmeasured_attribute", `${name} has no seats that could be in use.`);
  const percent = toOneDecimal((users.length / seats) * 100);
  return stating(
    `${name} had ${several(users.length, "active user")} ${inWindow(window)} and has ${several(seats, "seat")}: ` +
      `${inExactFigures(percent)}% in use.`,
    percent,
    [
      rollup("active_users", users.length, window),
      attribute("seats", seats),
      rollup("seat_use_percent", percent, window),
    ],
  );
}
