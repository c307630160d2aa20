/** What a family of near misses is, and how most of them are made. */
import type { NEAR_MISSES } from "../phrasings/near-misses.ts";
import type { Account } from "../world/model.ts";
import type { WindowKind } from "../window-kinds.ts";
import { someAccounts, someFeature, someKind, someUsers } from "./draw.ts";
import type { Instance, Slots, Told } from "./model.ts";

export type Miss = keyof typeof NEAR_MISSES;

export const WINDOWS: readonly WindowKind[] = [
  "default",
  "last_7_days",
  "last_30_days",
  "last_week",
  "this_month",
  "since_date",
];

export interface MissFamily {
  miss: Miss;
  reasons: readonly string[];
  worlds: readonly string[];
  instances: (told: Told) => readonly (Pick<Instance, "slots" | "window"> & { hintId?: string })[];
}

export const COMMON = ["northbeam", "meridian", "carnival"];

/** What most of them are asked about: any account, user, feature and window. */
export function anything(told: Told, words: Record<string, string> = {}): { slots: Slots; window: WindowKind } {
  const [account, other] = someAccounts(told, 2);
  const [user] = someUsers(told, 1);
  const slots = {
    ...(account === undefined ? {} : { account }),
    ...(other === undefined ? {} : { other }),
    ...(user === undefined ? {} : { user }),
    feature: someFeature(told),
    words,
  };
  return { slots, window: someKind(told.random, WINDOWS) };
}

export const times = <T>(count: number, make: (place: number) => T): T[] =>
  Array.from({ length: count }, (_, place) => make(place));

export function family(
  miss: Miss,
  reasons: readonly string[],
  words: (told: Told) => Record<string, string> = () => ({}),
  { worlds = COMMON, count = 5 }: { worlds?: readonly string[]; count?: number } = {},
): MissFamily {
  return {
    miss,
    reasons,
    worlds,
    instances: (told) => times(count, () => anything(told, words(told))),
  };
}

/** Of accounts that something is missing for, with the word for it. */
export function missing(
  miss: Miss,
  reasons: readonly string[],
  wordOf: (account: Account, told: Told) => Record<string, string> | null,
  worlds: readonly string[] = COMMON,
): MissFamily {
  const instances = (told: Told) =>
    someAccounts(told, 3, (account) => wordOf(account, told) !== null).map((account) => ({
      slots: { ...anything(told).slots, account, words: wordOf(account, told) ?? {} },
    }));
  return { miss, reasons, worlds, instances };
}
