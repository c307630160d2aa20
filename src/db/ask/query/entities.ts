/** The entities that queries can find, their current values, and the cost of reading them. */
import { isTraitName } from "../../../core/ask/query/dimensions.ts";
import type { Filter, Find } from "../../../core/ask/query/model.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { account, eventName, health, item, mark, user } from "./aliases.ts";
import type { Read } from "./shared-statement.ts";
import { countOfAll } from "./uses-sql.ts";

export type Owner = Exclude<Find, "events">;

const HEALTH = `LEFT JOIN ${health.table}
  ON ${health.workspace} = :workspace AND ${health.account} = ${account.number}`;
const accountWithHealth = (number: string): string =>
  `LEFT JOIN ${account.table} ON ${account.number} = ${number} ${HEALTH}`;

interface Entities {
  /** Its table. */
  numbered: { table: string; number: string };
  /** The dimensions whose values an index finds. */
  sought: readonly string[];
}

/** The names that rows are sorted by, the accounts and users that they belong to, and the tables with their conditions. */
export const ENTITIES: Readonly<Record<Owner, Record<"id" | "name" | "account" | "user" | "from", string> & Entities>> =
  {
    accounts: {
      id: account.number,
      name: account.externalId,
      account: account.number,
      user: "NULL",
      from: `${account.table} ${HEALTH} WHERE ${account.workspace} = :workspace`,
      numbered: account,
      sought: ["account"],
    },
    users: {
      id: user.number,
      name: user.externalId,
      account: user.account,
      user: user.number,
      from: `${user.table} ${accountWithHealth(user.account)}
      WHERE ${user.workspace} = :workspace AND ${isNotErased(user.externalId)}`,
      numbered: user,
      sought: ["user"],
    },
    items: {
      id: item.number,
      // Among items of the same rank, the newest come first.
      name: `-${item.number}`,
      account: item.account,
      user: `iif(${item.kind} = 'key_user_quiet', CAST(${item.subject} AS INTEGER), NULL)`,
      from: `${item.table} LEFT JOIN ${mark.table} ON ${mark.item} = ${item.number} ${accountWithHealth(item.account)}
      WHERE ${item.workspace} = :workspace`,
      numbered: item,
      sought: ["account", "status"],
    },
    features: {
      id: "feature.event_key",
      name: "feature.name",
      account: "NULL",
      user: "NULL",
      from: `(SELECT ${eventName.number} AS event_key, ${eventName.name} AS name FROM ${eventName.table}
      WHERE ${eventName.workspace} = :workspace
      UNION SELECT event_key, event FROM tail) feature WHERE TRUE`,
      numbered: eventName,
      sought: [],
    },
  };

/** A trait and an owner have their own rows. A value in its subject's row takes half the time of a row. */
export const unitsOf = (name: string): number => (isTraitName(name) || name === "owner" ? 1 : 0.5);

/** The cost of finding entities by their current values, plus `units` for each entity. */
export function readOf(
  { numbered, sought }: Pick<Entities, "numbered" | "sought">,
  from: string,
  filters: readonly Filter[],
  units: number,
): Read {
  const each = 1 + units + filters.reduce((sum, { dimension }) => sum + unitsOf(dimension), 0);
  // The index contains only unresolved items.
  const isSought = filters.some(
    ({ dimension, is, in: several }) => sought.includes(dimension) && (is ?? several ?? "resolved") !== "resolved",
  );
  return { upperBound: `${countOfAll(numbered)} * ${each}`, ...(isSought && { counted: [{ from, units: each }] }) };
}
