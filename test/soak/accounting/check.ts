/** One thing that has to hold in the end, and the figures that tell. */
export interface Check {
  name: string;
  ok: boolean;
  figures: Record<string, number>;
}

export const sumOf = <T>(rows: readonly T[], of: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);
