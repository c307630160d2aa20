/** The rule about reduced seats or MRR (docs/health.md §12.2). It reads attributes, not usage. */
import type { AttributeValues, Window } from "../health/model.ts";
import type { InboxItem, ItemEvidence } from "./model.ts";
import type { RuleInput, Finding, Rule } from "./rule.ts";

const LOOK_BACK_DAYS = 30;
/** A contraction leaves at most this share of the highest value. */
const LEFT_PERCENT = 80;
const EXPIRY_DAYS = 30;

const AMOUNTS = ["seats", "mrr"] as const;
type Amount = (typeof AMOUNTS)[number];

/** Returns `undefined` for an MRR in another currency, which cannot be compared. */
function amountOf(values: AttributeValues, amount: Amount, currency: string | undefined): number | undefined {
  return amount === "seats" || values.currency === currency ? values[amount] : undefined;
}

/** Compares an amount with its highest value: from the last day with that value to the last day on which it fell. */
function contractionOf({ measures, day }: RuleInput, amount: Amount): (ItemEvidence & { window: Window }) | null {
  const { currency } = measures.attributes(day);
  // Newest first. A value that was cleared in between has still fallen.
  const known = Array.from({ length: LOOK_BACK_DAYS + 1 }, (_, back) => day - back).flatMap((each) => {
    const value = amountOf(measures.attributes(each), amount, currency);
    return value === undefined ? [] : [{ day: each, value }];
  });
  const [today] = known;
  if (today?.day !== day) return null;
  const { value } = today;
  const highest = known.reduce((found, each) => (each.value > found.value ? each : found), today);
  if (highest.value <= 0 || value * 100 > highest.value * LEFT_PERCENT) return null;
  const fallen = known.find((each, index) => each.value < (known[index + 1]?.value ?? -Infinity)) ?? today;
  return { code: amount, value, expected: highest.value, window: { from: highest.day, to: fallen.day } };
}

function find(input: RuleInput): readonly Finding[] {
  return AMOUNTS.flatMap((amount) => {
    const contraction = contractionOf(input, amount);
    if (contraction === null) return [];
    // The high value stays in the window for a month. Only a fall after the last item closed opens another.
    const isReported = input.items.some(
      ({ kind, subject, resolvedDay }) =>
        kind === "contraction" && subject === amount && resolvedDay !== null && resolvedDay >= contraction.window.to,
    );
    return [{ subject: amount, evidence: [contraction], updateOnly: isReported }];
  });
}

/** Updates the amount. What it is compared with stays, although it leaves the 30 days before the item closes. */
function update({ subject, openedDay, evidence }: InboxItem, { measures, day }: RuleInput): Partial<Finding> {
  const { currency } = measures.attributes(openedDay);
  const value = amountOf(measures.attributes(day), subject === "seats" ? "seats" : "mrr", currency);
  return value === undefined ? {} : { evidence: evidence.map((each) => ({ ...each, value })) };
}

export const CONTRACTION_RULE: Rule = {
  kind: "contraction",
  severity: "high",
  goesOnInOutage: true,
  find,
  update,
  expiresAfterDays: EXPIRY_DAYS,
};
