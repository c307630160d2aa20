/** The people of the demo: who they are, and how often they come. */
import type { UserPlan } from "../health/workspace/model.ts";
import { between, chance, pick, type Random, wholeBetween } from "../health/workspace/random.ts";

const FIRST = (
  "maria jonas priya tomas aiko lena omar grace felix nadia hugo ines ravi sofia karl mei dario elsa ivan ruth " +
  "amara bruno chloe emil farah greta hassan ida jiro kofi lucia"
).split(" ");
const LAST = (
  "lopez weber nair novak tanaka berg haddad okafor brandt petrova moreau silva shah rossi jansen lin costa holm " +
  "orlov klein adeyemi fischer dubois sato"
).split(" ");

const ROLES = ["analyst", "analyst", "analyst", "manager", "manager", "viewer", "engineer"] as const;

/** No two alike among the first 744, as 31 first names and 24 last names go round against each other. */
export const personId = (place: number): string =>
  `${FIRST[place % FIRST.length] ?? ""}.${LAST[place % LAST.length] ?? ""}`;

/** The first of a company is who set it up. */
export const roleOf = (random: Random, place: number): string => (place === 0 ? "admin" : pick(random, ROLES));

/** `maria.lopez` as she writes it. */
export const fullNameOf = (id: string): string =>
  id
    .split(".")
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join(" ");

/** The chance that somebody comes on a working day: most often daily, some twice a week. */
export const usualRate = (random: Random): number => between(random, 0.3, 0.85);

/** There from the beginning, with a week of leave now and then. */
export function present(
  random: Random,
  id: string,
  rate: number,
  stretch: readonly [first: number, last: number],
): UserPlan {
  const [first, last] = stretch;
  const monday = 7 * wholeBetween(random, Math.ceil(first / 7), Math.floor(last / 7));
  const away: UserPlan["away"] = chance(random, 0.4) ? [[monday, monday + 6]] : [];
  return { id, rate, features: [1], joins: -Infinity, leaves: Infinity, away };
}
