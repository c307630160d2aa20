/** What accounts pay, and how many seats they have. Amounts of different currencies are never added or ranked. */
import { readStage } from "../../health/stage.ts";
import type { PortfolioAccount } from "../model.ts";
import { money, moneyGrounds } from "./account-attribute-answers.ts";
import { roundOff } from "./comparison.ts";
import { attribute, type Finding, type Ground, type Outcome, type Silence, silence } from "./finding.ts";
import { firstOf, listing, theFirst, withNote } from "./listing.ts";
import { allOf, compareTexts, ranked, several } from "./wording.ts";

/** Accounts that pay, which those that have churned do no more. */
interface Payers {
  accounts: readonly { of: PortfolioAccount; mrr: number; currency: string | undefined }[];
  /** Churned ones that still have an MRR. */
  churned: number;
}

function payersOf(accounts: readonly PortfolioAccount[]): Payers | Silence {
  const known = accounts.flatMap((of) => {
    const { mrr, currency } = of.attributes;
    return mrr === undefined ? [] : [{ of, mrr, currency }];
  });
  if (known.length === 0) return silence("unmeasured_attribute", "No account has a known MRR.");
  const staying = known.filter(({ of }) => readStage(of.attributes.stage).stage !== "churned");
  return { accounts: staying, churned: known.length - staying.length };
}

/** @param isTotal whether one sum is asked for, which there is only of one currency */
export function mrrOf(accounts: readonly PortfolioAccount[], isTotal: boolean): Outcome {
  const payers = payersOf(accounts);
  if ("silence" in payers) return payers;
  const sums = sumsOf(payers);
  if (isTotal && sums.length > 1) return mixed(sums.map(({ currency }) => currency));
  const parts = sums.map(({ currency, mrr, count }) => `${money(mrr, currency)} (${several(count, "account")})`);
  const rows = sums.map(({ currency, mrr, count }) => ({ currency: currency ?? null, mrr, accounts: count }));
  const grounds = sums.flatMap(({ currency, mrr, count }) => [
    ...moneyGrounds(mrr, currency),
    attribute("accounts", count),
  ]);
  const [only] = sums;
  const finding: Finding =
    only === undefined
      ? { says: "The MRR is 0.", value: isTotal ? 0 : [], grounds: [attribute("mrr", 0)] }
      : { says: `The MRR is ${allOf(parts)}.`, value: isTotal ? only.mrr : rows, grounds };
  return withChurned(payers, finding);
}

interface Sum {
  currency: string | undefined;
  mrr: number;
  count: number;
}

/** By currency, in the order of the alphabet; those without one last. */
function sumsOf({ accounts }: Payers): Sum[] {
  const groups = Map.groupBy(accounts, ({ currency }) => currency);
  return [...groups]
    .map(([currency, group]): Sum => ({
      currency,
      mrr: roundOff(group.reduce((sum, { mrr }) => sum + mrr, 0)),
      count: group.length,
    }))
    .toSorted((a, b) => compareTexts(a.currency ?? "~", b.currency ?? "~"));
}

function mixed(currencies: readonly (string | undefined)[]): Silence {
  const names = currencies.map((currency) => currency ?? "no known currency");
  return silence(
    "mixed_currency",
    `The MRR is in several currencies: ${names.join(", ")}.`,
    "What is the MRR by currency?",
  );
}

/** Those with the most; the same by the external id. */
export function topByMrr(accounts: readonly PortfolioAccount[], limit: number): Outcome {
  const payers = payersOf(accounts);
  if ("silence" in payers) return payers;
  const currencies = sumsOf(payers).map(({ currency }) => currency);
  if (currencies.length > 1) return mixed(currencies);
  const rows = ranked(
    payers.accounts,
    ({ mrr }) => mrr,
    ({ of }) => of.account,
  ).map(({ of, mrr, currency }) => ({
    entity: of.account,
    says: money(mrr, currency),
    fields: { mrr, currency: currency ?? null },
    grounds: moneyGrounds(mrr, currency),
  }));
  return withChurned(payers, top(rows, "MRR", "mrr", limit));
}

export function topBySeats(accounts: readonly PortfolioAccount[], limit: number): Outcome {
  const known = accounts.flatMap((of) => {
    const { seats } = of.attributes;
    return seats === undefined ? [] : [{ entity: of.account, seats }];
  });
  if (known.length === 0) return silence("unmeasured_attribute", "No account has a known number of seats.");
  const rows = ranked(
    known,
    ({ seats }) => seats,
    ({ entity }) => entity,
  ).map(({ entity, seats }) => ({
    entity,
    says: several(seats, "seat"),
    fields: { seats },
    grounds: [attribute("seats", seats)],
  }));
  return top(rows, "seats", "seats", limit);
}

function top(all: Parameters<typeof listing>[1], by: string, field: string, limit: number): Finding {
  const { rows, ...tied } = firstOf(all, limit, field);
  const head = `${theFirst(rows.length, "account")} with the most ${by}`;
  return withNote(listing(head, rows, [attribute("accounts", rows.length)], { limit }), tied);
}

function withChurned({ churned }: Payers, finding: Finding): Finding {
  if (churned === 0) return finding;
  const grounds: Ground[] = [...finding.grounds, attribute("churned_accounts", churned)];
  const note = `${several(churned, "churned account")} with an MRR ${churned === 1 ? "is" : "are"} not counted.`;
  return { ...finding, says: `${finding.says} ${note}`, grounds };
}
