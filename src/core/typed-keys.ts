/** The keys of a record that nothing was added to, by their type: `Object.keys` forgets it. */
export function typedKeys<Keyed extends object>(record: Keyed): Extract<keyof Keyed, string>[] {
  const keys: Extract<keyof Keyed, string>[] = [];
  for (const key in record) if (Object.hasOwn(record, key)) keys.push(key);
  return keys;
}
