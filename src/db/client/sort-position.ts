/** Where a row stands in a list sorted by a value: the value, and the row's number, which settles ties. */
export type SortPosition = readonly [value: number, number: number];
