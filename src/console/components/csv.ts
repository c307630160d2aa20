/** Writes CSV (RFC 4180) that spreadsheets open safely. */

export type CsvCell = string | number | boolean | null | undefined;

/** Spreadsheets run a text that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** In some countries a semicolon separates cells. */
const QUOTED = /[",;\r\n]/;

/** Writes a line: `acme,1200,"a, b"`. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(textOf).join(",")}\r\n`;

function textOf(cell: CsvCell): string {
  if (typeof cell !== "string") return cell == null ? "" : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
