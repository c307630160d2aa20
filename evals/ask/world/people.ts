/** People by the dozen, for workspaces that only need them to be there. */
import type { UserSketch } from "./build.ts";

const FIRST =
  "maria jonas priya tomas aiko lena omar grace felix nadia hugo ines ravi sofia karl mei dario elsa ivan ruth".split(
    " ",
  );
const LAST =
  "lopez weber nair novak tanaka berg haddad okafor brandt petrova moreau silva shah rossi jansen lin costa holm orlov klein".split(
    " ",
  );
const ROLES = ["admin", "analyst", "manager", "engineer"];

/** Users from the `from`th on, each with an id of a form like `maria.lopez`, and most with a role. */
export function people(from: number, count: number): UserSketch[] {
  return Array.from({ length: count }, (_, offset) => {
    const place = from + offset;
    const first = FIRST[place % FIRST.length] ?? "";
    const last = LAST[(place + Math.floor(place / FIRST.length) * 7) % LAST.length] ?? "";
    const role = ROLES[place % ROLES.length] ?? "";
    return { id: `${first}.${last}`, traits: place % 5 === 4 ? {} : { role, team: `team-${(place % 3) + 1}` } };
  });
}
