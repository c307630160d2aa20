/** The health of all accounts: of which days it is, and how many have none. */
import { DAY_MS } from "../../durations.ts";
import { datesOf, dateOf } from "../../health/texts.ts";
import type { PortfolioAccount } from "../model.ts";
import { type Ground, type Silence, silence } from "./finding.ts";
import { isoDay, several } from "./wording.ts";

export interface Judged {
  of: PortfolioAccount;
  health: NonNullable<PortfolioAccount["health"]>;
}

export interface AllJudged {
  accounts: readonly Judged[];
  /** Accounts without health. */
  others: number;
}

/**
 * @param needsScores whether it is asked for something that stands still while the workspace's sender is out
 */
export function judgedOf(accounts: readonly PortfolioAccount[], needsScores: boolean): AllJudged | Silence {
  const judged = accounts.flatMap((of): Judged[] => (of.health === null ? [] : [{ of, health: of.health }]));
  if (judged.length === 0) return silence("insufficient_history", "The health of no account has been judged yet.");
  if (needsScores && judged.some(({ health }) => health.state === "stale")) {
    const detail = "The workspace's sender has stopped, so the health of accounts is frozen.";
    return silence("stale_data", detail);
  }
  return { accounts: judged, others: accounts.length - judged.length };
}

/** `as of 20 Nov 2026`, and that some accounts are not judged. */
export function judgedOn({ accounts, others }: AllJudged): { says: string; notes: string[]; grounds: Ground[] } {
  const days = accounts.map(({ health }) => health.day);
  const [from, to] = [Math.min(...days), Math.max(...days)];
  const asOf = (to + 1) * DAY_MS;
  const grounds: Ground[] = [...new Set([from, to])].map((day) => ({
    kind: "health",
    measure: "day",
    value: isoDay(day),
    asOf,
  }));
  if (others > 0) grounds.push({ kind: "health", measure: "accounts_not_judged", value: others, asOf });
  const note = `${several(others, "account")} ${others === 1 ? "has" : "have"} not been judged yet.`;
  return {
    says: from === to ? `as of ${dateOf(to)}` : `by what was judged ${datesOf({ from, to })}`,
    notes: others === 0 ? [] : [note],
    grounds,
  };
}
