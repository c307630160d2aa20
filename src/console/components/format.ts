/** Formats numbers, times and names. */
import { ERASED_NAME } from "../../core/erased-name.ts";
import { ADMINISTRATOR } from "../../core/inbox/marks.ts";
import { truncate } from "./truncate.ts";

const WHOLE_NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Rounds to a whole number, with thousands separators: `12,300`. */
export const formatNumber = (value: number): string => WHOLE_NUMBER.format(value);

/** Writes a size: `130 KB`, `12 MB`, `1.3 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${formatNumber(bytes / 1e3)} KB`;
  return bytes < 1e9 ? `${formatNumber(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Writes whole currency units: `€1,200`, or `1,200` without a currency. */
export const formatMoney = (value: number, currency: string | null): string =>
  currency === null
    ? formatNumber(value)
    : new Intl.NumberFormat("en", { style: "currency", currency, maximumFractionDigits: 0 }).format(value);

/** Writes a moment in UTC, to the minute: `2030-01-08 06:00`. */
export const formatMinute = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

const MINUTE_MS = 60_000;
const UNITS = [
  [365 * 24 * 60, "y"],
  [30 * 24 * 60, "mo"],
  [24 * 60, "d"],
  [60, "h"],
  [1, "min"],
] as const;

/** Writes how long ago something was: `3 d ago`, `in 2 h`, `just now`. */
export function formatAgo(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS;
  const unit = UNITS.find(([length]) => minutes >= length);
  if (unit === undefined) return "just now";
  const text = `${Math.floor(minutes / unit[0])} ${unit[1]}`;
  return ms < 0 ? `in ${text}` : `${text} ago`;
}

/** Names at the beginning of a sentence who marked an item or an account. */
export const nameOfActor = (by: string): string => (by === ADMINISTRATOR ? "The administrator" : truncate(by));

interface Named {
  externalId: string | null;
  identity: { company?: string; name?: string; email?: string } | null;
}

/** The company name if it is known, or the sender's id. */
export const accountName = ({ externalId, identity }: Named): string => identity?.company ?? externalId ?? ERASED_NAME;

export const userName = ({ externalId, identity }: Named): string =>
  identity?.name ?? identity?.email ?? externalId ?? ERASED_NAME;

/** `1,234+` if there may be more. */
export const atLeast = (value: number, hasMore: boolean): string => formatNumber(value) + (hasMore ? "+" : "");
