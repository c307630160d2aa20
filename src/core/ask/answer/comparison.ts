/** Two figures beside each other: what the one is more or less than the other, with a ground of its own. */
import { inFigures } from "../../health/texts.ts";
import type { Ground } from "./finding.ts";
import { inExactFigures, toOneDecimal } from "./wording.ts";

export type Direction = "up" | "down" | "unchanged";

export interface Difference {
  direction: Direction;
  /** `up by 30, or 25%`, `unchanged`. */
  says: string;
  grounds: readonly Ground[];
}

/** What a figure has come to from what it was. There is no percentage of nothing, nor one that would read as none. */
export function differenceFrom(before: number, now: number, kind: Ground["kind"]): Difference {
  if (now === before) return { direction: "unchanged", says: "unchanged", grounds: [] };
  const direction = now > before ? "up" : "down";
  const measure = now > before ? "increase" : "decrease";
  const by = Math.abs(now - before);
  const grounds: Ground[] = [{ kind, measure, value: by }];
  let says = `${direction} by ${inExactFigures(by)}`;
  const percent = before === 0 ? 0 : toOneDecimal((by / before) * 100);
  if (percent > 0) {
    grounds.push({ kind, measure: `${measure}_percent`, value: percent });
    says += `, or ${inFigures(percent)}%`;
  }
  return { direction, says, grounds };
}

/** Of two of a kind: `"acme" has 40 more`, `both have the same`. */
export function leadOf(
  one: { name: string; value: number },
  other: { name: string; value: number },
  kind: Ground["kind"],
): { says: string; grounds: readonly Ground[] } {
  if (one.value === other.value) return { says: "both the same", grounds: [] };
  const value = roundOff(Math.abs(one.value - other.value));
  const more = one.value > other.value ? one : other;
  return { says: `${inExactFigures(value)} more for ${more.name}`, grounds: [{ kind, measure: "difference", value }] };
}

/** Without what adding in binary leaves: 0.1 and 0.2 make 0.3. */
export const roundOff = (value: number): number => Number(value.toFixed(6));
