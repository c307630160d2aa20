/** docs/wire/export.md §17: files that the manifest has and the bucket lacks. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { readParquet } from "../../../src/archive/parquet.ts";
import { ArchiveUnavailable } from "../../../src/archive/store.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import { archiveWorkspace } from "../../../src/services/archive/archive-workspace.ts";
import { exportPage } from "../../../src/services/archive/read-archive.ts";
import { envWith } from "../support/faulty-env.ts";
import { runCron } from "../support/run-cron.ts";
import {
  dateOf,
  erase,
  exported,
  fetchBytes,
  hot,
  listFiles,
  oldestKey,
  oldWorkspace,
  TODAY,
} from "./old-workspace.ts";

describe("§17 a file that is missing in the bucket", () => {
  it("is named by exports and by the run that has to rewrite it, which does the rest of its work", async () => {
    const workspace = await oldWorkspace();
    await runCron(Date.now());
    const key = oldestKey(workspace);
    const copy = await (await env.ARCHIVE.get(key))?.arrayBuffer();
    await env.ARCHIVE.delete(key);
    await erase(workspace, "u1");
    const ref = await workspace.ref();
    const days = { from: TODAY - 40, to: TODAY };
    await expect(exportPage(env, ref, days, null, Date.now())).rejects.toThrow(`The archive lacks ${key}`);
    const archive = () => archiveWorkspace(env, ref, { now: Date.now(), through: TODAY });
    await expect(archive()).rejects.toThrow(`The archive lacks ${key}`);
    expect(await hot(workspace)).toEqual([]);
    const next = await env.ARCHIVE.get(`v1/${workspace.id}/received_date=${dateOf(TODAY - 39)}/3-3.parquet`);
    const [message] = await readParquet((await next?.arrayBuffer()) ?? new ArrayBuffer());
    expect(message).toMatchObject({ messageId: "c", userId: expect.stringMatching(/^usr_/) });
    // The run kept no lease, so a repeated task fails again, until the queue gives it up.
    await expect(archive()).rejects.toThrow(`The archive lacks ${key}`);
    const { status } = await workspace.get(`/api/v1/export?from=${dateOf(TODAY - 40)}&to=${dateOf(TODAY)}`);
    expect(status).toBe(500);
    const other = await exported(workspace, TODAY - 39, TODAY);
    expect(other).toEqual([]); // they are of the erased user

    await env.ARCHIVE.put(key, copy ?? "");
    expect((await exported(workspace)).map(({ message_id: id }) => id)).toEqual(["b"]);
    expect(await archive()).toMatchObject({ complete: true });
    const [file] = await listFiles(workspace);
    expect((await fetchBytes(workspace, `/api/v1/archive/${file?.name}`)).status).toBe(200);
  });
});

it("§17 an export that meets a file whose retention has just ended is to be repeated", async () => {
  const workspace = await oldWorkspace();
  await runCron(Date.now());
  await env.ARCHIVE.delete(oldestKey(workspace));
  const page = async (now: number) =>
    exportPage(envWith({ ARCHIVE_DAYS: "9" }), await workspace.ref(), { from: TODAY - 40, to: TODAY }, null, now);
  await expect(page(Date.now() - DAY_MS)).rejects.toThrow(ArchiveUnavailable);
  expect((await page(Date.now())).lines).toHaveLength(2);
});
