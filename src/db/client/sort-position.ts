/** The position of a row in a sorted list: the sorted value, and the row's number, which breaks ties. */
export type SortPosition = readonly [value: number, number: number];
