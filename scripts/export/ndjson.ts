/**
 * Downloads messages page by page into one file of lines. After each page a small file beside it records the next page
 * and the bytes that are complete, so that an interrupted export continues with no line missing, twice or torn.
 */
import { open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import * as z from "zod";

import { DAY_MS } from "../../src/core/durations.ts";
import { type Client, type ExportOptions, get } from "./client.ts";
import { megabytes, showProgress } from "./progress.ts";

const State = z.object({
  /** The path and query of the next page; `null` after the last one. */
  next: z.string().nullable(),
  /** The size of the pages before it. */
  bytes: z.number(),
});
type State = z.infer<typeof State>;

const Line = z.object({ received_at: z.string() });

/** @returns the file */
export async function exportNdjson(client: Client, { from, to, out }: ExportOptions): Promise<string> {
  const path = join(out, `${from}_${to}.ndjson`);
  const [part, statePath] = [`${path}.part`, `${path}.state`];
  let state = (await readState(statePath, part)) ?? { next: `/api/v1/export?from=${from}&to=${to}`, bytes: 0 };
  if (state.bytes > 0) console.log(`Continuing after ${megabytes(state.bytes)}.`);

  const start = Date.parse(from);
  const end = Math.min(Date.parse(to) + DAY_MS, Date.now());
  const file = await open(part, "a");
  try {
    await file.truncate(state.bytes);
    while (state.next !== null) {
      const response = await get(client, state.next);
      const page = await response.text();
      await file.appendFile(page);
      await file.datasync();
      state = { next: nextPage(response), bytes: state.bytes + Buffer.byteLength(page) };
      await writeState(statePath, state);
      const last = page.trimEnd().split("\n").at(-1);
      if (state.next === null || !last) continue;
      const { received_at: receivedAt } = Line.parse(JSON.parse(last));
      const share = (Date.parse(receivedAt) - start) / (end - start);
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
async function readState(statePath: string, part: string): Promise<State | null> {
  try {
    const state = State.parse(JSON.parse(await readFile(statePath, "utf8")));
    return (await stat(part)).size < state.bytes ? null : state;
  } catch {
    return null;
  }
}

/** Replaces the state at once, so that a crash leaves the old or the new one. */
async function writeState(path: string, state: State): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(state));
  await rename(`${path}.new`, path);
}

/** Returns the path and query of the next page. The host may be another one behind a proxy. */
function nextPage({ headers, url }: Response): string | null {
  const link = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  if (link === undefined) return null;
  const { pathname, search } = new URL(link, url);
  return pathname + search;
}
