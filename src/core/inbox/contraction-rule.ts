/** The rule about reduced seats or MRR (docs/health.md §12.2). It reads attributes, not usage. */
import type { AttributeChange, AttributeValues, Day, Window } from "../health/model.ts";
import type { Facts, Finding, Rule } from "./rule.ts";

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

interface Fall {
  value: number;
  highest: number;
  /** From the last day with the highest value to the last day on which it fell. */
  window: Window;
}

function fallOf({ measures, day }: Facts, amount: Amount): Fall | null {
  const values = measures.attributes(day);
  const value = values[amount];
  if (value === undefined) return null;
  let highest = value;
  let from = day;
  let to = day;
  // Going back in time, `later` is the next known value. A value that was cleared in between has still fallen.
  let later = value;
  let laterDay = day;
  let isFall = false;
  for (let earlier = day - 1; earlier >= day - LOOK_BACK_DAYS; earlier -= 1) {
    const before = amountOf(measures.attributes(earlier), amount, values.currency);
    if (before === undefined) continue;
    if (!isFall && before > later) {
      isFall = true;
      to = laterDay;
    }
    if (before > highest) {
      highest = before;
      from = earlier;
    }
    later = before;
    laterDay = earlier;
  }
  const isContraction = highest > 0 && value * 100 <= highest * LEFT_PERCENT;
  return isContraction ? { value, highest, window: { from, to } } : null;
}

/** Nearly all accounts have no recent change and need no look back. */
function hasChanged(changes: readonly AttributeChange[], day: Day): boolean {
  return changes.some(
    (change) =>
      change.day > day - LOOK_BACK_DAYS &&
      change.day <= day &&
      (change.values.seats !== undefined || change.values.mrr !== undefined || change.values.currency !== undefined),
  );
}

function find(facts: Facts): readonly Finding[] {
  if (!hasChanged(facts.measures.history.attributes, facts.day)) return [];
  return AMOUNTS.flatMap((amount) => {
    const fall = fallOf(facts, amount);
    if (fall === null) return [];
    const { value, highest, window } = fall;
    // The high value stays in the window for a month. Only a fall after the last item closed opens another.
    const isReported = facts.items.some(
      ({ kind, subject, resolvedDay }) =>
        kind === "contraction" && subject === amount && resolvedDay !== null && resolvedDay >= window.to,
    );
    return [
      { subject: amount, evidence: [{ code: amount, value, expected: highest, window }], updateOnly: isReported },
    ];
  });
}

export const CONTRACTION_RULE: Rule = {
  kind: "contraction",
  severity: "high",
  goesOnInOutage: true,
  find,
  expiresAfterDays: EXPIRY_DAYS,
};
