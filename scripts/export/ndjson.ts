/**
 * Downloads messages page by page into one file of lines. After each page a small file beside it records the next page
 * and the bytes that are complete, so that an interrupted export continues with no line missing, twice or torn.
 */
import { open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import * as z from "zod";

import { DAY_MS } from "../../src/core/durations.ts";
import { type Client, type ExportOptions, get, linkOf } from "./client.ts";
import { megabytes, showProgress } from "./progress.ts";

const State = z.object({
  /** The path and query of the first page. */
  start: z.string(),
  /** The path and query of the next page; `null` after the last one. */
  next: z.string().nullable(),
  /** The size of the pages before it. */
  bytes: z.number(),
});
type State = z.infer<typeof State>;

const Line = z.object({ received_at: z.string() });

/** @returns the file */
export const exportNdjson = (client: Client, options: ExportOptions): Promise<string> => {
  const { from, to, out } = options;
  return downloadLines(client, options, `/api/v1/export?from=${from}&to=${to}`, join(out, `${from}_${to}.ndjson`));
};

/** Downloads an export to a file. @param start the path and query of the first page @returns the file */
export async function downloadLines(
  client: Client,
  { from, to }: Omit<ExportOptions, "out">,
  start: string,
  path: string,
): Promise<string> {
  const [part, statePath] = [`${path}.part`, `${path}.state`];
  let state = (await readState(statePath, part, start)) ?? { start, next: start, bytes: 0 };
  if (state.bytes > 0) console.log(`Continuing after ${megabytes(state.bytes)}.`);

  const begin = Date.parse(from);
  const end = Math.min(Date.parse(to) + DAY_MS, Date.now());
  const file = await open(part, "a");
  try {
    await file.truncate(state.bytes);
    while (state.next !== null) {
      const response = await get(client, state.next);
      const page = await response.text();
      await file.appendFile(page);
      await file.datasync();
      state = { start, next: linkOf(response, "next"), bytes: state.bytes + Buffer.byteLength(page) };
      await writeState(statePath, state);
      const last = page.trimEnd().split("\n").at(-1);
      if (state.next === null || !last) continue;
      const { received_at: receivedAt } = Line.parse(JSON.parse(last));
      const share = (Date.parse(receivedAt) - begin) / (end - begin);
      showProgress(share, `${megabytes(state.bytes)}, received until ${receivedAt}`);
    }
  } finally {
    await file.close();
  }
  await rename(part, path);
  await rm(statePath);
  showProgress(1, megabytes(state.bytes));
  return path;
}

/** @returns `null` when there is nothing to continue */
async function readState(statePath: string, part: string, start: string): Promise<State | null> {
  try {
    const state = State.parse(JSON.parse(await readFile(statePath, "utf8")));
    return state.start !== start || (await stat(part)).size < state.bytes ? null : state;
  } catch {
    return null;
  }
}

/** Replaces the state at once, so that a crash leaves the old or the new one. */
async function writeState(path: string, state: State): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(state));
  await rename(`${path}.new`, path);
}
