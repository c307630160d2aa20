/** Account attributes as text. */
import { momentDate } from "../../core/health/texts.ts";
import type { Json } from "../../core/json.ts";
import { formatMoney, formatNumber } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";

export const ATTRIBUTES = {
  stage: "Stage",
  plan: "Plan",
  seats: "Seats",
  mrr: "MRR",
  currency: "Currency",
  trialEndsAt: "Trial ends",
} as const;
export type Attribute = keyof typeof ATTRIBUTES;

export const isAttribute = (name: string): name is Attribute => Object.hasOwn(ATTRIBUTES, name);

export type AttributeValues = Readonly<Record<string, string | number | null | undefined>>;

/** Formats an attribute; the MRR with its currency. */
export function formatAttribute(name: Attribute, values: AttributeValues): string {
  const value = values[name];
  if (value == null) return "none";
  const { currency } = values;
  if (name === "mrr") return formatMoney(Number(value), typeof currency === "string" ? currency : null);
  if (name === "trialEndsAt") return momentDate(Date.parse(String(value)));
  return typeof value === "number" ? formatNumber(value) : truncate(value);
}

const MAX_TRAIT_CHARACTERS = 120;

/** Formats any trait as one line. */
export const formatTrait = (value: Json): string =>
  truncate(typeof value === "string" ? value : JSON.stringify(value), MAX_TRAIT_CHARACTERS);
