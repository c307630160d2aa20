/** The rule about reduced seats or MRR (docs/inbox.md §12.2). It reads attributes, not usage. */
import { amountOf, contractionsOf } from "../health/contraction.ts";
import type { InboxItem } from "./model.ts";
import { comparisonEvidence, type RuleInput, type RuleFinding, type InboxRule } from "./rule.ts";

const EXPIRY_DAYS = 30;

function find(input: RuleInput): readonly RuleFinding[] {
  return contractionsOf(input.measures.attributes, input.day).map((contraction) => {
    const { amount, window } = contraction;
    // The high value stays in the window for a month. Only a fall after the last item closed opens another.
    const isReported = input.items.some(
      ({ kind, subject, resolvedDay }) =>
        kind === "contraction" && subject === amount && resolvedDay !== null && resolvedDay >= window.to,
    );
    return { subject: amount, evidence: [comparisonEvidence(amount, contraction)], updateOnly: isReported };
  });
}

/** Updates the amount. What it is compared with stays, although it leaves the 30 days before the item closes. */
function update({ subject, openedDay, evidence }: InboxItem, { measures, day }: RuleInput): Partial<RuleFinding> {
  const { currency } = measures.attributes(openedDay);
  const value = amountOf(measures.attributes(day), subject === "seats" ? "seats" : "mrr", currency);
  return value === undefined ? {} : { evidence: evidence.map((each) => ({ ...each, value })) };
}

export const CONTRACTION_RULE: InboxRule = {
  kind: "contraction",
  severity: "high",
  runsInOutage: true,
  find,
  update,
  expiresAfterDays: EXPIRY_DAYS,
};
