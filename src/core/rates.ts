/** What a unit of each currency, by its code, is worth in units of the workspace's own currency. */
export type Rates = Readonly<Record<string, number>>;

export interface RateSettings {
  rates: Rates | null;
  /** The workspace's own currency: its rate is 1. */
  currency: string | null;
}

/** Returns the rates by which a workspace ranks amounts, with that of its own currency. `undefined` if it has none. */
export function ratesOf({ rates = null, currency = null }: Partial<RateSettings>): Rates | undefined {
  if (rates === null || Object.keys(rates).length === 0) return undefined;
  return currency === null ? rates : { ...rates, [currency]: 1 };
}
