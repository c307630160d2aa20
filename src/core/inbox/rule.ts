/**
 * Defines a rule of the inbox. A rule finds problems as of a day and decides when an item of its kind closes. The life of an
 * item is the same for all kinds (lifecycle.ts).
 */
import { lastCountedDays } from "../health/business-days.ts";
import type { Measures } from "../health/measures.ts";
import type { Day, HealthDay, HealthHistory } from "../health/model.ts";
import type { AccountItemKind, InboxItem, ItemEvidence, Resolution, Severity } from "./model.ts";

/** Everything a rule may use. */
export interface Facts {
  measures: Measures;
  day: Day;
  /** The end of the day, in milliseconds since the epoch. */
  moment: number;
  today: HealthDay;
  history: HealthHistory;
  /** The account's items, including today's changes by earlier rules. */
  items: readonly InboxItem[];
}

/** A finding of a rule as of a day. */
export interface Finding {
  subject: string;
  evidence: readonly ItemEvidence[];
  /** Replaces the rule's severity. */
  severity?: Severity;
  /** Milliseconds since the epoch. */
  dueAt?: number;
  /** True if the finding may update an open item but not open one. */
  updateOnly?: boolean;
}

/** What a rule does while the sender is out. */
type OutageBehavior =
  /** Its items neither open nor close, because there is no data. */
  | "frozen"
  /** It goes on, because it reads only attributes and dates. */
  | "active";

export interface Rule {
  kind: AccountItemKind;
  severity: Severity;
  inOutage: OutageBehavior;
  /** Whether its items close when the account churns. */
  closesOnChurn: boolean;
  /** Returns why no item of the kind may be open. Open items close with this resolution. */
  suppressedBy?: (facts: Facts) => Resolution | null;
  find: (facts: Facts) => readonly Finding[];
  /** Returns why an open item closes; `null` if it stays open. */
  resolution: (item: InboxItem, facts: Facts) => Resolution | null;
}

export function isOpen(items: readonly InboxItem[], kinds: readonly AccountItemKind[]): boolean {
  return items.some((item) => item.resolvedDay === null && kinds.some((kind) => kind === item.kind));
}

/** Suppresses what follows from silence, because `gone_silent` already reports it. */
export function suppressedBySilence({ measures, day, items }: Facts): Resolution | null {
  return measures.silence(day)?.silent === true || isOpen(items, ["gone_silent"]) ? "silent" : null;
}

/** Tests whether the account was silent so recently that the window of a rule still contains the silence. */
export function wasSilentWithin(days: number, { items, day }: Facts): boolean {
  return items.some(
    ({ kind, resolvedDay }) => kind === "gone_silent" && resolvedDay !== null && day - resolvedDay < days,
  );
}

/** Tests whether an item has been open for `days`, so it is no longer news. */
export function isExpired(item: InboxItem, day: Day, days: number): boolean {
  return day - item.openedDay >= days;
}

/** Tests whether something holds on each of the last `count` counted days. */
export function everyDay({ measures, day }: Facts, count: number, holds: (day: Day) => boolean): boolean {
  return lastCountedDays(measures.context(day).outages, day, count).every(holds);
}

/** Returns an item's evidence of a code, as of when the item was last confirmed. */
export function evidenceOf(item: InboxItem, code: string): ItemEvidence | undefined {
  return item.evidence.find((evidence) => evidence.code === code);
}
