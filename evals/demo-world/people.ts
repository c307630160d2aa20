/** Creates the users of the demo: who they are, and how often they come. */
import type { UserPlan } from "../simulator/model.ts";
import { between, chance, pick, type Random, wholeBetween } from "../simulator/random.ts";

const FIRST = (
  "maria jonas priya tomas aiko lena omar grace felix nadia hugo ines ravi sofia karl mei dario elsa ivan ruth " +
  "amara bruno chloe emil farah greta hassan ida jiro kofi lucia"
).split(" ");
const LAST = (
  "lopez weber nair novak tanaka berg haddad okafor brandt petrova moreau silva shah rossi jansen lin costa holm " +
  "orlov klein adeyemi fischer dubois sato"
).split(" ");

const ROLES = ["analyst", "analyst", "analyst", "manager", "manager", "viewer", "engineer"] as const;

/** Returns a unique id for each of the first 744 places: 31 first names and 24 last names share no factor. */
export const personId = (index: number): string =>
  `${FIRST[index % FIRST.length] ?? ""}.${LAST[index % LAST.length] ?? ""}`;

/** The first user of a company set it up. */
export const roleOf = (random: Random, index: number): string => (index === 0 ? "admin" : pick(random, ROLES));

/** Turns `maria.lopez` into `Maria Lopez`. */
export const fullNameOf = (id: string): string =>
  id
    .split(".")
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join(" ");

/** Returns the chance that a user comes on a working day. */
export const usualRate = (random: Random): number => between(random, 0.3, 0.85);

/** Creates a user who is there from the beginning, in some cases with a week of leave. */
export function present(
  random: Random,
  id: string,
  rate: number,
  period: readonly [first: number, last: number],
): UserPlan {
  const [first, last] = period;
  const monday = 7 * wholeBetween(random, Math.ceil(first / 7), Math.floor(last / 7));
  const away: UserPlan["away"] = chance(random, 0.4) ? [[monday, monday + 6]] : [];
  return { id, rate, features: [1], joins: -Infinity, leaves: Infinity, away };
}
