/** Prints figures, and those with a threshold that they should meet. A miss shows as ✗ and fails nothing. */

export interface Threshold {
  name: string;
  value: number;
  side: "≥" | "≤";
  bound: number;
  met: boolean;
  note?: string;
}

export const atLeast = (name: string, value: number, bound: number): Threshold => ({
  name,
  value,
  side: "≥",
  bound,
  met: value >= bound,
});

export const atMost = (name: string, value: number, bound: number, note = ""): Threshold => ({
  name,
  value,
  side: "≤",
  bound,
  met: value <= bound,
  note,
});

export const thresholdRow = ({ name, value, side, bound, met, note = "" }: Threshold): string =>
  `${row(name, [number(value), `${side} ${number(bound)}`])} ${met ? "✓" : "✗"}  ${note}`.trimEnd();

export const row = (name: string, cells: string[], nameWidth = 66): string =>
  name.slice(0, nameWidth).padEnd(nameWidth) + cells.map((cell) => cell.padStart(13)).join("");

/** Prints whole numbers in full, and others with three digits. */
export const number = (value: number): string =>
  value.toLocaleString("en-US", Number.isInteger(value) ? {} : { maximumSignificantDigits: 3 });
