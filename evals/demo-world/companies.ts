/** Lists the sixty accounts of the demo. A fate (fates.ts) says how each one develops. */
import type { Company, Plan } from "./contract.ts";
import type { Fate } from "./fates.ts";

export interface FatedCompany extends Company {
  fate: Fate;
  /** The name that is attached as an identity trait. */
  name?: string;
}

type Row = readonly [id: string, plan: Plan, fate: Fate, industry: string, region: Company["region"], name?: string];

const ROWS: readonly Row[] = [
  ["northwind-freight", "Enterprise", "steady", "logistics", "emea", "Northwind Freight"],
  ["halcyon-health", "Enterprise", "always_on", "healthcare", "amer", "Halcyon Health"],
  ["brightwater-bank", "Enterprise", "grower", "finance", "emea", "Brightwater Bank"],
  ["ostrava-steel", "Enterprise", "slow_decline", "manufacturing", "emea", "Ostrava Steel"],
  ["meridian-air", "Enterprise", "sudden_drop", "travel", "amer", "Meridian Air"],
  ["cobalt-insurance", "Enterprise", "steady", "finance", "amer"],
  ["tanager-retail", "Business", "unused_seats", "retail", "apac"],
  ["<b>Bobby & Sons</b>", "Team", "steady", "hospitality", "amer"],
  ["kestrel-analytics", "Business", "fast_riser", "software", "amer", "Kestrel Analytics"],
  ["lumen-energy", "Business", "contraction", "energy", "emea", "Lumen Energy"],
  ["alder-and-finch", "Business", "champion_left", "consulting", "emea", "Alder & Finch"],
  ["juniper-foods", "Business", "gone_silent", "food", "amer", "Juniper Foods"],
  ["harbor-legal", "Team", "gone_silent", "legal", "amer"],
  ["quillworks", "Team", "full_house", "publishing", "emea", "Quillworks"],
  ["vantage-mobility", "Business", "feature_dropped", "automotive", "emea"],
  ["pixelforge", "Team", "ready_trial", "games", "apac", "Pixelforge"],
  ["sable-robotics", "Team", "fizzled_trial", "manufacturing", "apac", "Sable Robotics"],
  ["tidepool-labs", "Team", "lost_trial", "biotech", "amer"],
  ["orchard-school", "Starter", "fresh_trial", "education", "emea"],
  ["marlow-interiors", "Team", "just_signed", "design", "emea"],
  ["copperline-media", "Team", "converted_trial", "media", "amer", "Copperline Media"],
  ["solstice-travel", "Team", "converted_trial", "travel", "apac"],
  ["ida-brandt", "Starter", "solo", "consulting", "emea"],
  ["one-oak-studio", "Starter", "light", "design", "emea"],
  ["granite-works", "Business", "back_from_closure", "construction", "emea"],
  ["metro-courier", "Business", "always_on", "logistics", "apac"],
  ["stationhouse-news", "Team", "always_on", "media", "emea"],
  ["larkspur-clinics", "Business", "adopter", "healthcare", "amer"],
  ["delta-grid", "Business", "adopter", "energy", "amer"],
  ["papercrane", "Team", "adopter", "publishing", "apac"],
  ["fieldstone-farms", "Team", "adopter", "food", "amer"],
  ["vela-software", "Business", "grower", "software", "amer"],
  ["nimbus-hosting", "Business", "grower", "software", "emea"],
  ["rowan-pharma", "Business", "grower", "biotech", "emea"],
  ["cedar-lane-homes", "Team", "grower", "real estate", "amer"],
  ["atlas-tooling", "Business", "steady", "manufacturing", "emea"],
  ["blue-heron-hotels", "Business", "steady", "hospitality", "amer"],
  ["cascade-outdoor", "Business", "steady", "retail", "amer"],
  ["everline-textiles", "Business", "steady", "manufacturing", "apac"],
  ["foxglove-cosmetics", "Team", "steady", "retail", "emea"],
  ["gable-architects", "Team", "long_silent", "design", "emea"],
  ["hinterland-coffee", "Team", "light", "food", "apac"],
  ["ironbridge-parts", "Business", "steady", "automotive", "emea"],
  ["jetty-marine", "Team", "cooling", "logistics", "emea"],
  ["kaleido-print", "Team", "cooling", "publishing", "amer"],
  ["lantern-theatre", "Team", "unused_seats", "media", "emea"],
  ["mosaic-clinics", "Business", "steady", "healthcare", "emea"],
  ["opaline-optics", "Business", "steady", "healthcare", "apac"],
  ["prairie-seed", "Team", "cooling", "food", "amer"],
  ["redwood-credit", "Business", "steady", "finance", "amer"],
  ["sundial-events", "Team", "unused_seats", "hospitality", "amer"],
  ["thistle-couriers", "Team", "unused_seats", "logistics", "emea"],
  ["umber-ceramics", "Starter", "light", "retail", "emea"],
  ["verdant-gardens", "Starter", "light", "retail", "amer"],
  ["westgate-dental", "Starter", "light", "healthcare", "amer"],
  ["yarrow-institute", "Business", "slow_decline", "education", "emea"],
  ["zephyr-cycling", "Team", "faded", "retail", "apac"],
  ["amberly-press", "Team", "faded", "publishing", "emea"],
  ["basalt-mining", "Business", "faded", "energy", "apac"],
  ["corvid-security", "Team", "churned", "software", "amer"],
];

const CURRENCY = { emea: "EUR", amer: "USD", apac: "USD" } as const;

export const COMPANIES: readonly FatedCompany[] = ROWS.map(([id, plan, fate, industry, region, name]) => ({
  id,
  plan,
  fate,
  industry,
  region,
  currency: CURRENCY[region],
  ...(name === undefined ? {} : { name }),
}));
