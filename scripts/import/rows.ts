/** Reads the rows of NDJSON, CSV and Parquet files, plain or gzipped. It holds a few rows at a time, or a part of a Parquet file. */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

import { type CsvError, parse } from "csv-parse";
import {
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from "hyparquet";
import { compressors } from "hyparquet-compressors";

import { isJsonObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { parseJson } from "../../src/core/parse-json.ts";
import { notUtf8, readText } from "./read-text.ts";

export interface Row {
  /** The line of the file on which the row ends, or the number of the row in a Parquet file. Both begin at 1. */
  line: number;
  data: JsonObject;
  /** The row as the file has it, or as JSON. */
  text: string;
}

export interface BrokenRow {
  line: number;
  problem: string;
}

export interface SourceFile {
  path: string;
  /** Without its folder and `.gz`, so that a gzipped copy has the same. */
  name: string;
  size: number;
  format: "ndjson" | "csv" | "parquet";
  /** The names of the columns; `null` for NDJSON. */
  columns: string[] | null;
  rows: () => AsyncGenerator<Row | BrokenRow>;
  /** How much of the file the last call of `rows` has read, in bytes. */
  position: () => number;
}

/** A line or a record that is longer is broken. */
const MAX_ROW_CHARACTERS = 1_000_000;
/** The rows of a Parquet file that are read at once. */
const PARQUET_ROWS = 20_000;
const NOT_READ = (): number => 0;
const HEAD_BYTES = 64 * 1_024;

/** Lists files, also those in folders. @throws Error for a path that doesn't exist */
export async function listFiles(paths: readonly string[]): Promise<string[]> {
  const listed = paths.map(async (path) => {
    if (!(await stat(path)).isDirectory()) return path;
    const found = await readdir(path, { recursive: true, withFileTypes: true });
    const files = found.filter((entry) => entry.isFile() && !entry.name.startsWith("."));
    return files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  });
  return (await Promise.all(listed)).flat();
}

/** Looks into a file. @throws Error that names the file, if it has another format */
export async function openFile(path: string): Promise<SourceFile> {
  try {
    const { size } = await stat(path);
    const start = await readStart(path);
    if (start.subarray(0, 2).toString("latin1") === "PK") throw new Error("Unzip it first.");
    const isGzip = start[0] === 0x1f && start[1] === 0x8b;
    const head = isGzip ? await readHead(path) : start;
    if (head.length === 0) throw new Error("It is empty.");
    const file = { path, name: basename(path).replace(/\.gz$/i, ""), size };
    if (head.subarray(0, 4).toString("latin1") === "PAR1") return await parquetFile(file, isGzip);
    if (head.includes(0)) throw new Error(notUtf8(1)); // UTF-16
    const text = head
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .trimStart();
    if (text.startsWith("[")) throw new Error("It is one list. Write an object on each line instead.");
    return text.startsWith("{") ? ndjsonFile(file, isGzip) : await csvFile(file, isGzip, text);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

type File = Pick<SourceFile, "path" | "name" | "size">;

async function readStart(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

async function readHead(path: string): Promise<Buffer> {
  for await (const chunk of streamOf(path, true).stream) return Buffer.from(chunk);
  return Buffer.alloc(0);
}

/** @returns the decoded bytes, and how many bytes of the file were read */
function streamOf(path: string, isGzip: boolean): { stream: Readable; position: () => number } {
  const file = createReadStream(path);
  const position = () => file.bytesRead;
  if (!isGzip) return { stream: file, position };
  const stream = createGunzip();
  pipeline(file, stream).catch(() => undefined); // who reads the stream gets the error
  return { stream, position };
}

function ndjsonFile(file: File, isGzip: boolean): SourceFile {
  let position = NOT_READ;
  return {
    ...file,
    format: "ndjson",
    columns: null,
    position: () => position(),
    async *rows() {
      const opened = streamOf(file.path, isGzip);
      ({ position } = opened);
      let line = 0;
      for await (const text of linesOf(readText(opened.stream, file.path))) {
        line += 1;
        if (text.trim() !== "") yield readLine(text, line);
      }
    },
  };
}

function readLine(text: string, line: number): Row | BrokenRow {
  if (text.length >= MAX_ROW_CHARACTERS) return { line, problem: "is too long" };
  const parsed = parseJson(text);
  if (!parsed.ok) return { line, problem: `is no JSON (position ${parsed.position})` };
  return isJsonObject(parsed.value) ? { line, data: parsed.value, text } : { line, problem: "is no JSON object" };
}

/** Splits a text at line feeds, and cuts lines that are too long. */
async function* linesOf(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const part of parts) {
    const lines = (rest + part).split("\n");
    rest = (lines.pop() ?? "").slice(0, MAX_ROW_CHARACTERS);
    yield* lines;
  }
  yield rest;
}

/** The character that occurs most often in the header is the delimiter. */
const delimiterOf = (header: string): string =>
  [",", ";", "\t", "|"].toSorted((a, b) => header.split(b).length - header.split(a).length)[0] ?? ",";

async function csvFile(file: File, isGzip: boolean, head: string): Promise<SourceFile> {
  const delimiter = delimiterOf(/^[^\r\n]*/.exec(head)?.[0] ?? "");
  let position = NOT_READ;
  const options = { bom: true, delimiter, skip_empty_lines: true, max_record_size: MAX_ROW_CHARACTERS };
  const columns: string[] = [];
  const first = parse(head, { ...options, to: 1 });
  for await (const header of first) columns.push(...[header].flat().map((name) => String(name).trim()));
  if (new Set(columns).size < columns.length) throw new Error("Two columns have the same name.");
  return {
    ...file,
    format: "csv",
    columns,
    position: () => position(),
    async *rows() {
      const opened = streamOf(file.path, isGzip);
      ({ position } = opened);
      const broken: BrokenRow[] = [];
      const note = (error: CsvError | undefined): undefined => {
        broken.push({ line: Number(error?.["lines"] ?? 0), problem: error?.message ?? "is broken" });
      };
      const parser = parse({
        ...options,
        columns,
        from: 2,
        info: true,
        skip_records_with_error: true,
        on_skip: note,
      });
      pipeline(readText(opened.stream, file.path), parser).catch(() => undefined); // who reads the parser gets the error
      for await (const { record, info } of parser) {
        yield* broken.splice(0);
        yield { line: info.lines, data: record, text: JSON.stringify(record) };
      }
      yield* broken;
    },
  };
}

async function parquetFile(file: File, isGzip: boolean): Promise<SourceFile> {
  const folder = isGzip ? await mkdtemp(join(tmpdir(), "import-")) : null;
  const path = folder === null ? file.path : join(folder, file.name);
  if (folder !== null) {
    process.on("exit", () => void rm(folder, { recursive: true, force: true }));
    await pipeline(createReadStream(file.path), createGunzip(), createWriteStream(path));
  }
  const buffer = await asyncBufferFromFile(path);
  const metadata: FileMetaData = await parquetMetadataAsync(buffer);
  const count = Number(metadata.num_rows);
  let reached = 0;
  return {
    ...file,
    format: "parquet",
    columns: parquetSchema(metadata).children.map(({ element }) => element.name),
    position: () => (count === 0 ? file.size : (reached / count) * file.size),
    async *rows() {
      let groupStart = 0;
      for (const group of metadata.row_groups) {
        const groupEnd = groupStart + Number(group.num_rows);
        for (let rowStart = groupStart; rowStart < groupEnd; rowStart += PARQUET_ROWS) {
          const rowEnd = Math.min(rowStart + PARQUET_ROWS, groupEnd);
          const read = { file: buffer, metadata, compressors, rowStart, rowEnd, useOffsetIndex: true };
          for (const [index, values] of (await parquetReadObjects(read)).entries()) {
            const data = toJson(values);
            reached = rowStart + index + 1;
            if (isJsonObject(data)) yield { line: reached, data, text: JSON.stringify(data) };
          }
        }
        groupStart = groupEnd;
      }
    },
  };
}

/** Turns values of Parquet into JSON. */
function toJson(value: unknown): Json {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]));
  if (typeof value === "string" || typeof value === "boolean") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
