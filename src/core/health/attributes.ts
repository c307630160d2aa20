/**
 * Keeps the attributes of an account over time, so that a past day is scored by the stage, seats and MRR of that day. A
 * timeline holds only changes: repeating a value adds nothing.
 */
import type { AccountAttributes } from "../ingest/message.ts";
import { countUntil } from "./activity.ts";
import type { AttributeChange, AttributeValues, Day } from "./model.ts";

export function attributesAsOf(changes: readonly AttributeChange[], day: Day): AttributeValues {
  return attributesReader(changes)(day);
}

/** Returns a reader of the attributes at the end of any day. It computes the values after each change once. */
export function attributesReader(changes: readonly AttributeChange[]): (day: Day) => AttributeValues {
  const dates = changes.map(({ day }) => day);
  const states: AttributeValues[] = [];
  let values: AttributeValues = {};
  for (const change of changes) states.push((values = applied(values, change.values)));
  return (day) => states[countUntil(dates, day) - 1] ?? {};
}

/**
 * Replaces the part of a timeline from a day on.
 *
 * @param observed every observation on `from` and later, ascending by day
 */
export function extendTimeline(
  timeline: readonly AttributeChange[],
  from: Day,
  observed: readonly AttributeChange[],
): AttributeChange[] {
  const extended = timeline.filter(({ day }) => day < from);
  const held: AccountAttributes = { ...attributesAsOf(extended, from) };
  for (const { day, values } of observed) {
    const changed = differences(held, values);
    if (Object.keys(changed).length > 0) extended.push({ day, values: changed });
    Object.assign(held, changed);
  }
  return extended;
}

const ATTRIBUTES: readonly (keyof AccountAttributes)[] = ["stage", "trialEndsAt", "plan", "seats", "mrr", "currency"];

function differences(held: AccountAttributes, values: AccountAttributes): AccountAttributes {
  const changed: AccountAttributes = { ...values };
  for (const name of ATTRIBUTES) {
    if (values[name] === undefined || values[name] === (held[name] ?? null)) delete changed[name];
  }
  return changed;
}

function applied(held: AttributeValues, changes: AccountAttributes): AttributeValues {
  const { stage, trialEndsAt, plan, seats, mrr, currency }: AccountAttributes = { ...held, ...changes };
  return {
    ...(isSet(stage) && { stage }),
    ...(isSet(trialEndsAt) && { trialEndsAt }),
    ...(isSet(plan) && { plan }),
    ...(isSet(seats) && { seats }),
    ...(isSet(mrr) && { mrr }),
    ...(isSet(currency) && { currency }),
  };
}

const isSet = <Value>(value: Value | null | undefined): value is Value => value !== undefined && value !== null;
