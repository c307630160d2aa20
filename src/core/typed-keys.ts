/** Returns the keys of a record with their type, which `Object.keys` loses. The record must have no keys beyond its type. */
export function typedKeys<Keyed extends object>(record: Keyed): Extract<keyof Keyed, string>[] {
  const keys: Extract<keyof Keyed, string>[] = [];
  for (const key in record) if (Object.hasOwn(record, key)) keys.push(key);
  return keys;
}
