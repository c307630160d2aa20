/** Accounts by a date of theirs: when their trial ends, and when they came. */
import { readStage } from "../../health/stage.ts";
import { dateOf, momentDate } from "../../health/texts.ts";
import { readIsoTime } from "../../ingest/iso-time.ts";
import type { Day } from "../../health/model.ts";
import type { AskWindow, PortfolioAccount } from "../model.ts";
import { attribute, type Finding, rollup } from "./finding.ts";
import { listing } from "./listing.ts";
import { dayOf, inWindow, isoTime, ranked, several, severalOrNo, verb } from "./wording.ts";

/** Trials with an end in the window, the nearest first. A date of an account that is on no trial any more is none. */
export function trialsEnding(accounts: readonly PortfolioAccount[], window: AskWindow, today: Day): Finding {
  const dated = accounts.flatMap((of) => {
    const end = readIsoTime(of.attributes.trialEndsAt, false);
    return end === null || !isWithin(end, window) ? [] : [{ of, end }];
  });
  const trials = dated.filter(({ of }) => readStage(of.attributes.stage).stage === "trial");
  const rows = ranked(
    trials,
    ({ end }) => -end,
    ({ of }) => of.account,
  ).map(({ of, end }) => ({
    entity: of.account,
    says: `on ${momentDate(end)}`,
    fields: { trialEndsAt: isoTime(end) },
    grounds: [attribute("trial_ends_at", isoTime(end))],
  }));
  const isOver = window.to < today;
  const ends = isOver ? "ended" : verb(rows.length, "ends", "end");
  const head = `${severalOrNo(rows.length, "trial")} ${ends} ${inWindow(window, isOver ? "last" : "next")}`;
  const finding = listing(head, rows, [
    { ...attribute("trials", rows.length), window: { from: window.from, to: window.to } },
  ]);
  const others = dated.length - trials.length;
  if (others === 0) return finding;
  const note = `${several(others, "account")} with such a date ${others === 1 ? "is" : "are"} not on trial.`;
  return {
    ...finding,
    says: `${finding.says} ${note}`,
    grounds: [...finding.grounds, attribute("accounts_not_on_trial", others)],
  };
}

/** By the first message that named them, the latest first. */
export function newAccounts(
  accounts: readonly PortfolioAccount[],
  window: AskWindow,
  recordedFrom: Day | null,
): Finding {
  const fresh = accounts.filter(({ firstSeenAt }) => isWithin(firstSeenAt, window));
  const rows = ranked(
    fresh,
    ({ firstSeenAt }) => firstSeenAt,
    ({ account }) => account,
  ).map(({ account, firstSeenAt }) => ({
    entity: account,
    says: `since ${dateOf(dayOf(firstSeenAt))}`,
    fields: { since: isoTime(firstSeenAt) },
    grounds: [rollup("since", isoTime(firstSeenAt), window)],
  }));
  const head = `${severalOrNo(rows.length, "account")} ${verb(rows.length, "was", "were")} new ${inWindow(window)}`;
  const finding = listing(head, rows, [rollup("new_accounts", rows.length, window)]);
  const start = fresh.filter(({ firstSeenAt }) => dayOf(firstSeenAt) === recordedFrom).length;
  if (start === 0) return finding;
  // Who was there when recording began may have been so for long.
  const which = start < rows.length ? `Of them ${several(start, "account")}` : start === 1 ? "It" : "All of them";
  const note = `${which} may be older: ${start === 1 ? "it was" : "they were"} there when recording began.`;
  return {
    ...finding,
    says: `${finding.says} ${note}`,
    grounds: [...finding.grounds, rollup("there_from_the_start", start, window)],
  };
}

const isWithin = (ms: number, { from, to }: AskWindow): boolean => dayOf(ms) >= from && dayOf(ms) <= to;
