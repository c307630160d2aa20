/** Writes and reads rows of any table as Parquet, for backups. */
import { parquetReadObjects, type SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import * as z from "zod";

type Value = string | number | null;

export interface TableColumn {
  name: string;
  /** SQLite's: `text`, `integer` or `real`. */
  type: string;
}

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;
const elementOf = (type: string): Omit<SchemaElement, "name"> =>
  type === "text" ? TEXT : { type: type === "integer" ? "INT64" : "DOUBLE" };

/** Writes at least one row. */
export function writeTable(columns: readonly TableColumn[], rows: readonly Record<string, Value>[]): ArrayBuffer {
  const schema: SchemaElement[] = [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, ...elementOf(type), repetition_type: "OPTIONAL" as const })),
  ];
  const columnData = columns.map(({ name, type }) => ({
    name,
    data: rows.map(({ [name]: value = null }) =>
      type === "integer" && typeof value === "number" ? BigInt(value) : value,
    ),
  }));
  return parquetWriteBuffer({ schema, columnData });
}

const Rows = z.array(
  z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.bigint().transform((value) => Number(value))])),
);

/** Reads a file of {@link writeTable}, in its order. @throws Error when the bytes aren't a file of this form */
export const readTable = async (file: ArrayBuffer): Promise<Record<string, Value>[]> =>
  Rows.parse(await parquetReadObjects({ file }));
