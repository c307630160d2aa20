import type { Child, FC, PropsWithChildren } from "hono/jsx";

import { takeBytes } from "./truncate.ts";

interface ColumnTitle {
  title: Child;
  /** `num` aligns a column to the right, `optional` hides it on narrow screens. */
  class?: "num" | "optional" | "num optional";
}

export type TableColumns<Row> = readonly (ColumnTitle & { cell: (row: Row) => Child })[];

interface TableProps<Row> {
  caption: string;
  class?: string;
  /** The first is the rows' heading. */
  columns: TableColumns<Row>;
  rows: readonly Row[];
  empty?: Child;
  /** Leaves out the last rows of a longer table, so that the page stays small. */
  maxBytes?: number;
}

export function Table<Row>({ caption, class: name, columns, rows, empty, maxBytes }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const cells = rows.map((row) => (
    <tr>
      {columns.map(({ class: className, cell }, index) =>
        index === 0 ? <th scope="row">{cell(row)}</th> : <td class={className}>{cell(row)}</td>,
      )}
    </tr>
  ));
  return (
    <TableFrame caption={caption} class={name} columns={columns}>
      {maxBytes === undefined ? cells : takeBytes(cells, maxBytes)}
    </TableFrame>
  );
}

type FrameProps = PropsWithChildren<{
  caption: string;
  columns: readonly (string | ColumnTitle)[];
  class?: string | undefined;
}>;

/** A table that scrolls sideways where the screen is too narrow. */
export const TableFrame: FC<FrameProps> = (props) => (
  <div class="table-scroll" role="region" aria-label={props.caption} tabindex={0}>
    <table class={props.class}>
      <caption class="visually-hidden">{props.caption}</caption>
      <thead>
        <tr>
          {props.columns.map((column) => (
            <th scope="col" class={typeof column === "string" ? undefined : column.class}>
              {typeof column === "string" ? column : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  </div>
);
