/** A figure with the threshold that it should meet. A miss shows as ✗ in the table and fails nothing. */
export interface Threshold {
  name: string;
  value: number;
  side: "at least" | "at most";
  threshold: number;
  met: boolean;
  note?: string;
}

export const atLeast = (name: string, value: number, threshold: number): Threshold => ({
  name,
  value,
  side: "at least",
  threshold,
  met: value >= threshold,
});

export const atMost = (name: string, value: number, threshold: number, note?: string): Threshold => ({
  name,
  value,
  side: "at most",
  threshold,
  met: value <= threshold,
  ...(note !== undefined && { note }),
});
