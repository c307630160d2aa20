import type { Child } from "hono/jsx";

import { takeBytes } from "./truncate.ts";

interface Column<Row> {
  title: Child;
  /** `num` aligns a column to the right, `optional` hides it on narrow screens. */
  class?: "num" | "optional" | "num optional";
  /** How the rows are sorted by this column, if its title sorts them. */
  sorted?: "ascending" | "descending" | "none";
  cell: (row: Row) => Child;
}

export type TableColumns<Row> = readonly Column<Row>[];

interface TableProps<Row> {
  caption: string;
  class?: string;
  /** The first is the rows' heading. */
  columns: TableColumns<Row>;
  rows: readonly Row[];
  empty?: Child;
  /** Leaves out the last rows of a longer table, so that the page stays small. */
  maxBytes?: number;
  /** Follows "Showing the first 20 of 100." if rows are left out. */
  whereAll?: string;
}

/** A table that scrolls sideways where the screen is too narrow. */
export function Table<Row>({ caption, class: name, columns, rows, empty, maxBytes, whereAll }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const all = rows.map((row) => (
    <tr>
      {columns.map(({ class: className, cell }, index) =>
        index === 0 ? <th scope="row">{cell(row)}</th> : <td class={className}>{cell(row)}</td>,
      )}
    </tr>
  ));
  const shown = maxBytes === undefined ? all : takeBytes(all, maxBytes);
  return (
    <>
      <div class="table-scroll" role="region" aria-label={caption} tabindex={0}>
        <table class={name}>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ title, class: className, sorted }) => (
                <th scope="col" class={className} aria-sort={sorted}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{shown}</tbody>
        </table>
      </div>
      {whereAll !== undefined && shown.length < all.length && (
        <p class="note">
          Showing the first {shown.length} of {all.length}. {whereAll}
        </p>
      )}
    </>
  );
}
