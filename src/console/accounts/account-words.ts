/** What an account is called, and its attributes as people read them. */
import { ERASED_NAME } from "../../core/erased-name.ts";
import { momentDate } from "../../core/health/texts.ts";
import type { Json } from "../../core/json.ts";
import type { Identity } from "../../services/identity.ts";
import { amount } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";

interface Named {
  externalId: string | null;
  identity: Identity | null;
}

export const accountName = ({ externalId, identity }: Named): string => identity?.company ?? externalId ?? ERASED_NAME;

export const userName = ({ externalId, identity }: Named): string =>
  identity?.name ?? identity?.email ?? externalId ?? ERASED_NAME;

export const ATTRIBUTES = {
  stage: "Stage",
  plan: "Plan",
  seats: "Seats",
  mrr: "MRR",
  currency: "Currency",
  trialEndsAt: "Trial ends",
} as const;
export type Attribute = keyof typeof ATTRIBUTES;

export type AttributeValues = Readonly<Record<string, string | number | null | undefined>>;

/** An attribute in words; of the MRR with its currency. */
export function attributeText(name: Attribute, values: AttributeValues): string {
  const value = values[name];
  if (value == null) return "none";
  if (name === "mrr") return moneyText(Number(value), values["currency"]);
  if (name === "trialEndsAt") return momentDate(Date.parse(String(value)));
  return typeof value === "number" ? amount(value) : shortened(value);
}

const formats = new Map<string, Intl.NumberFormat>();

/** `€1,200`, whole; without a currency `1,200`. */
function moneyText(value: number, currency: AttributeValues[string]): string {
  if (typeof currency !== "string") return amount(value);
  const format =
    formats.get(currency) ?? new Intl.NumberFormat("en", { style: "currency", currency, maximumFractionDigits: 0 });
  formats.set(currency, format);
  return format.format(value);
}

const MAX_TRAIT_CHARACTERS = 120;

/** Whatever was sent, in a line. */
export const traitText = (value: Json): string =>
  shortened(typeof value === "string" ? value : JSON.stringify(value), MAX_TRAIT_CHARACTERS);
