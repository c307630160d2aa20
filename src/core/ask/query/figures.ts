/** Numbers, money and days in answers, and the evidence that each stands on. */
import { DAY_MS } from "../../durations.ts";
import type { Window } from "../../health/model.ts";
import { dateOf } from "../../health/texts.ts";
import type { Evidence } from "../model.ts";
import type { Entity } from "./result.ts";
import { isoDate } from "./windows.ts";

const PLAIN = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
/** Rounding up could leave the range of numbers. */
const SCIENTIFIC = { notation: "scientific", maximumFractionDigits: 3, roundingMode: "trunc" } as const;
const HUGE = new Intl.NumberFormat("en-US", SCIENTIFIC);
/** Larger numbers are told by their power of ten. */
const MAX_PLAIN = 1e15;

/** `1,234.5`: at most two decimals, and no negative zero. */
export function inFigures(value: number): string {
  return Math.abs(value) < MAX_PLAIN ? PLAIN.format(Math.round(value * 100) / 100 + 0) : HUGE.format(value);
}

/** `€1,249.99`, `¥1,250`: with the minor units that the currency has. Senders may call a currency anything. */
export function inMoney(value: number, currency: string | null): string {
  if (currency === null) return `${inFigures(value)} (no currency)`;
  const code = currency.toUpperCase();
  if (!CURRENCIES.has(code)) return `${inFigures(value)} ${currency}`;
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: code,
    trailingZeroDisplay: "stripIfInteger",
    ...(Math.abs(value) >= MAX_PLAIN && SCIENTIFIC),
  }).format(value + 0);
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** `27 Oct to 23 Nov 2026` */
export function spanOf({ from, to }: Window): string {
  const [first, last] = [dateOf(from), dateOf(to)];
  if (from === to) return last;
  const year = last.slice(last.lastIndexOf(" "));
  return `${first.endsWith(year) ? first.slice(0, -year.length) : first} to ${last}`;
}

/** `1 event`, `2 events`, `no events` */
export function several(figures: string, nouns: string): string {
  if (figures === "0") return `no ${nouns}`;
  return `${figures} ${figures === "1" ? nouns.replace(/s( used)?$/, "$1") : nouns}`;
}

/** Collects the evidence of an answer while it is written. */
export class Grounds {
  readonly evidence: Evidence[] = [];
  readonly #now: number;

  /** @param now milliseconds since the epoch */
  constructor(now: number) {
    this.#now = now;
  }

  add(kind: Evidence["kind"], measure: string, value: Evidence["value"], window?: Window): void {
    const known = this.evidence.some((each) => each.measure === measure && each.value === value && isIn(each, window));
    if (known) return;
    const id = `e${this.evidence.length + 1}`;
    this.evidence.push({
      id,
      kind,
      measure,
      value,
      ...(window && { window: { from: window.from, to: window.to } }),
      asOf: this.#now,
    });
  }

  number(measure: string, value: number, window?: Window): string {
    this.add(kindOf(measure), measure, value + 0, window);
    return inFigures(value);
  }

  money(measure: string, value: number, currency: string | null): string {
    this.add("attribute", measure, value + 0);
    if (currency !== null) this.add("attribute", "currency", currency);
    return inMoney(value, currency);
  }

  /** @param date as in `2026-11-23` */
  date(measure: string, date: string): string {
    this.add(kindOf(measure), measure, date);
    return dateOf(Date.parse(date) / DAY_MS);
  }

  name({ type, externalId, name }: Entity): string {
    this.add("attribute", type, name ?? externalId);
    return name ?? externalId;
  }

  window(window: Window): string {
    this.add("rollup", "window", `${isoDate(window.from)}/${isoDate(window.to)}`, window);
    return spanOf(window);
  }
}

const isIn = (evidence: Evidence, window: Window | undefined): boolean =>
  evidence.window?.from === window?.from && evidence.window?.to === window?.to;

const ATTRIBUTES: ReadonlySet<string> = new Set([
  "plan",
  "stage",
  "seats",
  "mrr",
  "arr",
  "currency",
  "kind",
  "trial_ends",
  "account",
  "user",
]);

export function kindOf(measure: string): Evidence["kind"] {
  if (measure.includes(".")) return "trait";
  if (ATTRIBUTES.has(measure)) return "attribute";
  if (measure === "score" || measure === "health" || measure === "points") return "health";
  if (
    ["items", "item_kind", "severity", "status", "opened", "resolved", "dismissed", "snoozed_until"].includes(measure)
  )
    return "item";
  return measure === "first_seen" || measure === "last_seen" ? "event" : "rollup";
}
