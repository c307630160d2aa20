/** Reads the rows of all files, and sends their messages. */
import { showProgress } from "../export/progress.ts";
import { hashOf, type LeftOut, type Mapper } from "./messages.ts";
import type { BrokenRow, Row, SourceFile } from "./rows.ts";
import { type Counts, type Outgoing, Sender } from "./send.ts";
import type { Source } from "./sources.ts";

const PROGRESS_MS = process.stdout.isTTY ? 500 : 10_000;
/** What a dry run shows of each file. */
const SHOWN_MESSAGES = 3;

export interface Totals extends Counts {
  rejected: number;
  left: Map<LeftOut, number>;
}

/** Reads all rows, and sends their messages. @param target `null` to send nothing */
export async function sendRows(
  sources: readonly Source[],
  target: { url: string; key: string } | null,
  signal: AbortSignal,
): Promise<Totals> {
  const totals: Totals = { stored: 0, duplicates: 0, rejected: 0, left: new Map() };
  const reject = (file: string, line: number, reason: string) => {
    totals.rejected += 1;
    console.error(`${process.stdout.isTTY ? "\r\u001B[K" : ""}${file}:${line}: ${reason}`);
  };
  const sender = target && new Sender({ ...target, signal }, ({ file, line }, reason) => reject(file, line, reason));
  const size = sources.reduce((sum, { file }) => sum + file.size, 0);
  let [read, shownAt, rows] = [0, Date.now(), 0];
  const progress = () => describeCounts({ rows, ...(sender && namedCounts(sender.counts)), rejected: totals.rejected });
  for (const { file, map } of sources) {
    let shown = 0;
    for await (const row of file.rows()) {
      signal.throwIfAborted();
      rows += 1;
      const made = messageOf(file, row, map);
      if ("problem" in made) reject(file.path, row.line, made.problem);
      else if ("left" in made) totals.left.set(made.left, (totals.left.get(made.left) ?? 0) + 1);
      else if (sender !== null) await sender.add(made);
      else {
        totals.stored += 1;
        if ((shown += 1) <= SHOWN_MESSAGES) console.log(made.json);
      }
      if (Date.now() - shownAt < PROGRESS_MS) continue;
      shownAt = Date.now();
      showProgress(Math.min(0.999, (read + file.position()) / size), progress());
    }
    read += file.size;
  }
  await sender?.flush();
  showProgress(1, progress());
  return { ...totals, ...sender?.counts };
}

/** Makes the message of a row. Without an id, it gets one that stays the same when the file is read again. */
function messageOf(
  file: SourceFile,
  row: Row | BrokenRow,
  map: Mapper,
): Outgoing | { left: LeftOut } | { problem: string } {
  if ("problem" in row) return row;
  const mapped = map(row.data);
  if ("problem" in mapped || "left" in mapped) return mapped;
  const isOriginal = "original" in mapped;
  const message = isOriginal ? mapped.original : mapped.message;
  const json =
    isOriginal && file.format === "ndjson"
      ? row.text.trim()
      : JSON.stringify(message, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  const place = { file: file.path, line: row.line };
  if (message["messageId"] != null && message["messageId"] !== "") return { json, ...place };
  const messageId = hashOf(`${file.name}\n${row.line}\n${row.text}`);
  // The last of two equal keys counts.
  return { json: `${json.slice(0, -1)},"messageId":"${messageId}"}`, ...place };
}

/** @param stored what to call the messages that are new */
export const namedCounts = ({ stored, duplicates }: Counts, name = "stored"): Record<string, number> => ({
  [name]: stored,
  "stored before": duplicates,
});

export const describeCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count.toLocaleString("en-US")} ${what}`)
    .join(", ");
