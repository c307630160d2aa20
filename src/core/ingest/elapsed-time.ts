const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/**
 * A length of time for people, in its two largest units: `2 min 3 s`, `1 d`, `450 ms`. What is smaller is cut, not
 * rounded.
 */
export function inUnits(ms: number): string {
  const first = Math.max(
    0,
    UNITS.findIndex(([, length]) => ms >= length),
  );
  const parts: string[] = [];
  let left = ms;
  for (const [unit, length] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(left / length);
    if (count > 0) parts.push(`${count} ${unit}`);
    left -= count * length;
  }
  return parts.join(" ") || "0 ms";
}
