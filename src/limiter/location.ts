const LOCATIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "apac-ne", "apac-se", "oc", "afr", "me"] as const;

/**
 * Reads where the Durable Objects of a database's workspaces should be, from the variable `DB_LOCATION`, `DB_1_LOCATION` and
 * so on. An object stays where its first call asked for it; by default, near its first caller.
 * @throws RangeError that names the variable
 */
export function locationOf(env: Env, database: string): DurableObjectNamespaceGetDurableObjectOptions {
  const name = `${database}_LOCATION`;
  const location = new Map<string, unknown>(Object.entries(env)).get(name) ?? "";
  if (location === "") return {};
  const locationHint = LOCATIONS.find((each) => each === location);
  if (locationHint === undefined) throw new RangeError(`${name} must be one of ${LOCATIONS.join(", ")}`);
  return { locationHint };
}
