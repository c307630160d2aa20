/** Writes the numbers, money and days of answers, and records the evidence for each. */
import { DAY_MS } from "../../durations.ts";
import type { Window } from "../../health/model.ts";
import { dateOf } from "../../health/texts.ts";
import type { Evidence } from "../model.ts";
import { isAccountDimension, isItemDimension, isUserDimension } from "./dimensions.ts";
import type { Entity } from "./result.ts";
import { isoDate } from "./windows.ts";

const PLAIN = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2, signDisplay: "negative" });
/** Truncates, because rounding up could exceed the largest number. */
const SCIENTIFIC = { notation: "scientific", maximumFractionDigits: 3, roundingMode: "trunc" } as const;
const HUGE = new Intl.NumberFormat("en-US", SCIENTIFIC);
/** Larger numbers are written in scientific notation. */
const MAX_PLAIN = 1e15;

/** `1,234.5`: at most two decimals; negative zero as `0`. */
export const writeNumber = (value: number): string => (Math.abs(value) < MAX_PLAIN ? PLAIN : HUGE).format(value);

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** `€1,249.99`, `¥1,250`: with the currency's minor units. A sender's currency may be any text. */
export function writeMoney(value: number, currency: string | null): string {
  if (currency === null) return `${writeNumber(value)} (no currency)`;
  const code = currency.toUpperCase();
  if (!CURRENCIES.has(code)) return `${writeNumber(value)} ${currency}`;
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: code,
    signDisplay: "negative",
    trailingZeroDisplay: "stripIfInteger",
    ...(Math.abs(value) >= MAX_PLAIN && SCIENTIFIC),
  }).format(value);
}

/** `27 Oct to 23 Nov 2026` */
export function writeDays({ from, to }: Window): string {
  const [first, last] = [dateOf(from), dateOf(to)];
  const year = last.slice(last.lastIndexOf(" "));
  return first === last ? last : `${first.endsWith(year) ? first.slice(0, -year.length) : first} to ${last}`;
}

/** Writes the figures of an answer, and collects them as its evidence. */
export class EvidenceList {
  readonly #found = new Map<string, Omit<Evidence, "id" | "asOf">>();

  /** @param now milliseconds since the epoch */
  all(now: number): Evidence[] {
    return Array.from(this.#found.values(), (each, index) => ({ id: `e${index + 1}`, ...each, asOf: now }));
  }

  add(measure: string, value: Evidence["value"], window?: Window): void {
    const found = { kind: kindOf(measure), measure, value, ...(window && { window }) };
    this.#found.set(JSON.stringify(found), found);
  }

  number(measure: string, value: number, window?: Window): string {
    this.add(measure, value + 0, window);
    return writeNumber(value);
  }

  money(measure: string, value: number, currency: string | null): string {
    this.add(measure, value + 0);
    if (currency !== null) this.add("currency", currency);
    return writeMoney(value, currency);
  }

  /** @param date as in `2026-11-23` */
  date(measure: string, date: string): string {
    this.add(measure, date);
    return dateOf(Date.parse(date) / DAY_MS);
  }

  name({ type, externalId, name }: Entity): string {
    this.add(type, name ?? externalId);
    return name ?? externalId;
  }

  window(window: Window): string {
    this.add("window", `${isoDate(window.from)}/${isoDate(window.to)}`, window);
    return writeDays(window);
  }
}

function kindOf(measure: string): Evidence["kind"] {
  if (isItemDimension(measure) || measure === "items" || measure === "about") return "item";
  if (measure === "first_seen" || measure === "last_seen") return "event";
  if (measure === "score" || measure === "health") return "health";
  if (measure.includes(".")) return isAccountDimension(measure) || isUserDimension(measure) ? "trait" : "health";
  return isAccountDimension(measure) || ["arr", "mrr_lost", "user", "feature"].includes(measure)
    ? "attribute"
    : "rollup";
}
