/**
 * What a rule of the inbox is made of. A rule says what it finds as of a day and when an item of its kind is closed;
 * the lifecycle, which is the same for all kinds, is in lifecycle.ts.
 */
import { lastCountedDays } from "../health/days.ts";
import type { Measures } from "../health/measures.ts";
import type { Day, HealthDay } from "../health/model.ts";
import type { AccountItemKind, InboxItem, ItemEvidence, Resolution, Severity } from "./model.ts";

/** All that a rule may look at. */
export interface Facts {
  measures: Measures;
  day: Day;
  /** The end of the day, in milliseconds since the epoch. */
  moment: number;
  today: HealthDay;
  /** Earlier rows; `undefined` before the first. */
  history: (day: Day) => HealthDay | undefined;
  /** The account's items, with what the rules before this one have done today. */
  items: readonly InboxItem[];
}

/** Something that a rule finds to be so as of a day. */
export interface Finding {
  subject: string;
  evidence: readonly ItemEvidence[];
  /** Where it is not the rule's own. */
  severity?: Severity;
  /** Milliseconds since the epoch. */
  dueAt?: number;
  /** True where it only keeps an open item up to date, and is not news enough to open one. */
  standing?: boolean;
}

/** What a rule does while the sender is out. */
export type InOutage =
  /** Nothing opens, and open items stay as they are: there is nothing to judge them by. */
  | "frozen"
  /** It reads attributes and dates, which no silence falsifies. */
  | "as_usual";

export interface Rule {
  kind: AccountItemKind;
  severity: Severity;
  inOutage: InOutage;
  /** Whether it is pointless to tell of an account that is churned. */
  endsWithChurn: boolean;
  /** Why nothing of the kind may be open as of the day: nothing opens, and what is open is closed with this. */
  silenced?: (facts: Facts) => Resolution | null;
  find: (facts: Facts) => readonly Finding[];
  /** Why an open item is to be closed; `null` where it stays. */
  resolution: (item: InboxItem, facts: Facts) => Resolution | null;
}

export function isOpen(items: readonly InboxItem[], kinds: readonly AccountItemKind[]): boolean {
  return items.some((item) => item.resolvedDay === null && kinds.some((kind) => kind === item.kind));
}

/** That the account fell silent is told by `gone_silent`: what follows from it is not told again. */
export function silentAccount({ measures, day, items }: Facts): Resolution | null {
  return measures.silence(day)?.silent === true || isOpen(items, ["gone_silent"]) ? "silent" : null;
}

/** Whether an account was silent so lately that the days a rule looks at are still of the silence that was told. */
export function wasSilentWithin(days: number, { items, day }: Facts): boolean {
  return items.some(
    ({ kind, resolvedDay }) => kind === "gone_silent" && resolvedDay !== null && day - resolvedDay < days,
  );
}

/** Too old to be news: what it told of is how things are by now. */
export function isPast(item: InboxItem, day: Day, days: number): boolean {
  return day - item.openedDay >= days;
}

/** Whether something holds on each of the last `count` counted days. */
export function everyDay({ measures, day }: Facts, count: number, holds: (day: Day) => boolean): boolean {
  return lastCountedDays(measures.context(day).outages, day, count).every(holds);
}

/** The figure of an item's evidence, as it was when the item was last confirmed. */
export function figure(item: InboxItem, code: string): ItemEvidence | undefined {
  return item.evidence.find((evidence) => evidence.code === code);
}
