/** What the server tells the script of a chart of values over time. Days are counted from 1970-01-01, UTC. */
export interface ChartData {
  /** The day of the first value. */
  first: number;
  /** The days from one value to the next. */
  step: number;
  /** The marks of the value axis. */
  heights: readonly number[];
  series: readonly { name: string; values: readonly (number | null)[] }[];
  /** Days in the color of a tone, from the first on: both ends, and the index of the tone. */
  bands: readonly (readonly [from: number, to: number, tone: number])[];
  tones: readonly (readonly [tone: string, name: string])[];
  marks: readonly (readonly [day: number, text: string])[];
}
