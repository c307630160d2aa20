/** Validates the seven account attributes: docs/wire/capture.md §3, docs/wire/messages.md §4.2. */
import { FIRST_TIME_MS, LAST_MS, readAnyTime } from "./iso-time.ts";
import type { AccountAttributes } from "./message.ts";
import { isLongerThan } from "./text.ts";

export const MAX_STAGE_CHARACTERS = 64;

/** A value for "unknown", such as the time 0001-01-01, which counts as absent. */
export const UNKNOWN_VALUE = Symbol("unknown");

type Values = Required<AccountAttributes>;

export type AttributeName = keyof Values;

const CURRENCY_FORM = /^[A-Za-z]{3}$/;
const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Codes of ISO 4217 that some runtimes don't list: recent ones, funds, units of account, metals, and the codes for tests
 * and for no currency. A withdrawn code stays valid while a runtime knows it, because senders replay history.
 */
const MORE_CURRENCIES =
  "BOV CHE CHW CLF COU MXV SLE USN UYI UYW VED XAD XAG XAU XBA XBB XBC XBD XCG XPD XPT XTS XUA XXX ZWG".split(" ");
const CURRENCIES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf("currency"), ...MORE_CURRENCIES]);

/**
 * Reads a value. Returns `null` to clear the attribute, `undefined` for an unusable value, and `UNKNOWN`.
 *
 * @param lenient converts numeric strings and accepts times without an offset
 */
export function readAttribute<Name extends AttributeName>(
  name: Name,
  value: unknown,
  lenient: boolean,
): Values[Name] | typeof UNKNOWN_VALUE | null | undefined {
  return value === null ? null : READERS[name](value, lenient);
}

type Readers = {
  readonly [Name in keyof Values]: (
    value: unknown,
    lenient: boolean,
  ) => Values[Name] | typeof UNKNOWN_VALUE | undefined;
};

const READERS: Readers = {
  stage: (value) => {
    const stage = readText(value);
    return stage === undefined || isLongerThan(stage, MAX_STAGE_CHARACTERS) ? undefined : stage;
  },
  trialEndsAt: readTime,
  plan: readText,
  seats: (value, lenient) => {
    const seats = readAmount(value, lenient);
    return Number.isSafeInteger(seats) ? seats : undefined;
  },
  mrr: readAmount,
  currency: (value) => {
    const code = readText(value) ?? "";
    return CURRENCY_FORM.test(code) && CURRENCIES.has(code.toUpperCase()) ? code.toUpperCase() : undefined;
  },
  contractEndsAt: readTime,
};

/** Reverse ETL tools and Go structs send blank texts for values that they don't have. */
export const isBlank = (value: unknown): boolean => typeof value === "string" && value.trim() === "";

function readText(value: unknown): string | undefined {
  return typeof value === "string" && !isBlank(value) ? value.trim() : undefined;
}

function readTime(value: unknown, lenient: boolean): string | typeof UNKNOWN_VALUE | undefined {
  const ms = readAnyTime(value, lenient);
  if (ms < FIRST_TIME_MS) return UNKNOWN_VALUE;
  return ms <= LAST_MS ? new Date(ms).toISOString() : undefined;
}

function readAmount(value: unknown, lenient: boolean): number | undefined {
  const isText = typeof value === "bigint" || (lenient && typeof value === "string" && NUMERIC.test(value.trim()));
  const number = isText ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || number < 0) return undefined;
  return Object.is(number, -0) ? 0 : number;
}
