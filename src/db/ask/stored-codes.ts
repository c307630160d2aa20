/** Codes as they come back from the database. */

/** @throws where a row holds a code that is none of those known */
export function oneOf<T extends string>(known: readonly T[], value: unknown): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error(`a row holds a code that is none of ${known.join(", ")}`);
  return found;
}
