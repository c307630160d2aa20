/**
 * Defines a rule of the inbox. A rule finds problems as of a day and decides when an item of its kind closes. The life of an
 * item is the same for all kinds (lifecycle.ts).
 */
import { lastCountedDays } from "../health/business-days.ts";
import type { AccountMeasures } from "../health/measures.ts";
import type { Comparison, Day, HealthDay, HealthRowOf } from "../health/model.ts";
import type { AccountItemKind, InboxItem, ItemEvidence, Resolution, Severity } from "./model.ts";

export interface RuleInput {
  measures: AccountMeasures;
  day: Day;
  /** The end of the day, in milliseconds since the epoch. */
  moment: number;
  today: HealthDay;
  history: HealthRowOf;
  /** The account's items, including today's changes by earlier rules. */
  items: readonly InboxItem[];
}

export interface RuleFinding {
  subject: string;
  evidence: readonly ItemEvidence[];
  /** Replaces the rule's severity. */
  severity?: Severity;
  dueAt?: number;
  /** True if the finding may update an open item but not open one. */
  updateOnly?: boolean;
  /** True if nothing delays the item: neither the pause after the last one nor the week after an outage. */
  isUrgent?: boolean;
}

export interface InboxRule {
  kind: AccountItemKind;
  severity: Severity;
  /** Goes on while the sender is out, because it reads only attributes and dates. Other rules stand still. */
  runsInOutage?: true;
  /** Its items stay when the account churns. */
  keptOnChurn?: true;
  /** While an item of these kinds is open, it says more: items of this kind close and none opens. */
  supersededBy?: readonly AccountItemKind[];
  /**
   * Open items close when the account goes silent, because `gone_silent` reports that. None opens until this many days
   * after the silence.
   */
  silenceCooldownDays?: number;
  find: (input: RuleInput) => readonly RuleFinding[];
  /** Returns what changes in an open item on a day without a finding. By default, nothing. */
  update?: (item: InboxItem, input: RuleInput) => Partial<RuleFinding>;
  /** Returns why an open item closes; `null` if it stays open. */
  resolution?: (item: InboxItem, input: RuleInput) => Resolution | null;
  /** After this many days an item is no longer news and closes. */
  expiresAfterDays?: number;
}

/** Writes a comparison as evidence. */
export function comparisonEvidence(code: string, { observed, expected, window }: Comparison): ItemEvidence {
  return { code, value: observed, expected, window };
}

/** Updates the evidence, if there is something to compare. */
export function updatedEvidence<Found>(
  found: Found | null,
  evidenceOf: (found: Found) => ItemEvidence[],
): Partial<RuleFinding> {
  return found === null ? {} : { evidence: evidenceOf(found) };
}

/** Returns the row of a day: today's too, which the history doesn't have yet. */
export function healthOn({ history, today }: RuleInput, day: Day): HealthDay | undefined {
  return day === today.day ? today : history(day);
}

/** Tests whether something holds on each of the last `count` counted days. */
export function holdsOnLastDays({ measures, day }: RuleInput, count: number, holds: (day: Day) => boolean): boolean {
  return lastCountedDays(measures.context(day).outages, day, count).every(holds);
}
