/** Finds reduced seats or MRR (docs/health.md §11.8, docs/inbox.md §12.2). */
import type { AttributeValues, Comparison, Day } from "./model.ts";

const LOOK_BACK_DAYS = 30;
/** A contraction leaves at most this share of the highest value. */
const LEFT_PERCENT = 80;

export const AMOUNTS = ["seats", "mrr"] as const;
export type Amount = (typeof AMOUNTS)[number];

/** Returns `undefined` for an MRR in another currency, which cannot be compared. */
export function amountOf(values: AttributeValues, amount: Amount, currency: string | undefined): number | undefined {
  return amount === "seats" || values.currency === currency ? values[amount] : undefined;
}

/** The amount and the highest one, and the window from the last day with the highest to the last day on which it fell. */
export type Contraction = Comparison & { amount: Amount };

/** Compares the seats and the MRR of a day with their highest values in 30 days. */
export function contractionsOf(attributesOn: (day: Day) => AttributeValues, day: Day): Contraction[] {
  return AMOUNTS.flatMap((amount) => contractionOf(attributesOn, day, amount) ?? []);
}

function contractionOf(attributesOn: (day: Day) => AttributeValues, day: Day, amount: Amount): Contraction | null {
  const { currency } = attributesOn(day);
  // Newest first. A value that was cleared in between has still fallen.
  const known = Array.from({ length: LOOK_BACK_DAYS + 1 }, (_, back) => day - back).flatMap((each) => {
    const value = amountOf(attributesOn(each), amount, currency);
    return value === undefined ? [] : [{ day: each, value }];
  });
  const [today] = known;
  if (today?.day !== day) return null;
  const { value } = today;
  const highest = known.reduce((found, each) => (each.value > found.value ? each : found), today);
  if (highest.value <= 0 || value * 100 > highest.value * LEFT_PERCENT) return null;
  const fallen = known.find((each, index) => each.value < (known[index + 1]?.value ?? -Infinity)) ?? today;
  return { amount, observed: value, expected: highest.value, window: { from: highest.day, to: fallen.day } };
}
