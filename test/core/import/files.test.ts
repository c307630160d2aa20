/** docs/import.md: how `npm run import` reads files. A dry run shows the messages that would be sent. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

// The command in a process of its own would take a second for each file.
// oxlint-disable-next-line no-restricted-imports
import { sendRows } from "../../../scripts/import/send-rows.ts";
// oxlint-disable-next-line no-restricted-imports
import { openSources, type SourceOptions } from "../../../scripts/import/sources.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  return rm(folder, { recursive: true });
});

type Files = Record<string, string | Uint8Array>;

const isMessage = (line: string) => line.startsWith("{");

/** @returns the messages that would be sent, and what is printed beside them */
async function dryRun(files: Files, options: SourceOptions = {}) {
  const paths = Object.keys(files).map((name) => join(folder, name));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const printed: string[] = [];
  const print = (line: unknown) => void printed.push(String(line).replaceAll(`${folder}/`, ""));
  vi.spyOn(console, "log").mockImplementation(print);
  vi.spyOn(console, "error").mockImplementation(print);
  const stopped = await openSources(paths, options)
    .then((sources) => sendRows(sources, null, new AbortController().signal))
    .then(
      () => null,
      ({ message }: Error) => print(message),
    );
  return {
    messages: printed.filter(isMessage).map((line): Record<string, unknown> => JSON.parse(line)),
    printed: printed.filter((line) => !isMessage(line)),
    hasStopped: stopped === undefined,
  };
}

/** Writes the map beside the files. */
async function mapped(map: object): Promise<SourceOptions> {
  await writeFile(join(folder, "map.json"), JSON.stringify(map));
  return { map: join(folder, "map.json") };
}

const HEADER = "account_id,user_id,event,timestamp";
const csv = (...rows: string[]) => [HEADER, ...rows].join("\n");
const row = (user: string, event = "Signed In") => `acme,${user},${event},2026-03-01`;
const MAP = { accountId: "org", userId: "who", event: "what", timestamp: "at", messageId: "row_id" };
const table = (...rows: string[]) => ["row_id,org,who,what,at,plan", ...rows].join("\n");

const latin = (text: string) => Buffer.from(text, "latin1");

describe("a file that isn't UTF-8 stops the command", () => {
  const late = csv(row("möller"), ...Array.from({ length: 3_000 }, (_, index) => row(`u${index}`)), "");
  it.each<[string, Uint8Array, number]>([
    ["Latin-1", latin(csv(row("u1"), row("müller"))), 3],
    ["Latin-1 beyond the first rows", Buffer.concat([Buffer.from(late), latin(row("müller"))]), 3_003],
    ["UTF-16", Buffer.from(csv(row("u1")), "utf16le"), 1],
    ["NDJSON in Latin-1", latin('{"type":"track","userId":"a"}\n\n{"userId":"müller"}'), 3],
    ["a gzipped file", gzipSync(latin(csv(row("müller")))), 2],
    ["a file that ends within a character", Buffer.from(csv(row("ü"))).subarray(0, HEADER.length + 7), 2],
  ])("%s", async (_name, content, line) => {
    const { printed, hasStopped } = await dryRun({ "a.csv": content });
    expect(printed.at(-1)).toMatch(new RegExp(`a\\.csv.* is not UTF-8 \\(line ${line}\\)`));
    expect(hasStopped).toBe(true);
  });

  it("but not one whose characters lie across the parts that are read", async () => {
    const users = Array.from({ length: 9_000 }, (_, index) => row(`ü€😀${index}`));
    const { printed } = await dryRun({ "a.csv": csv(...users) });
    expect(printed.at(-1)).toBe("100 %, 9,000 rows, 0 rejected");
  });
});

const idsOf = async (files: Files, options: SourceOptions) =>
  (await dryRun(files, options)).messages.map(({ messageId }) => messageId);

describe("ids", () => {
  it("of rows of several tables differ, and stay the same in a renamed file", async () => {
    const map = await mapped(MAP);
    const [first, second, moved] = [
      await idsOf({ "a.csv": table("1,acme,u1,Opened,2026-03-01,pro", "2,acme,u1,Opened,2026-03-02,pro") }, map),
      await idsOf({ "b.csv": table("1,acme,u1,Closed,2026-03-01,pro", "2,acme,u2,Opened,2026-03-02,pro") }, map),
      await idsOf({ "c.csv": table("2,acme,u1,Opened,2026-03-02,basic", "1,acme,u1,Opened,2026-03-01,pro") }, map),
    ];
    expect(new Set([...first, ...second]).size).toBe(4);
    expect(moved).toEqual(first.toReversed());
  });

  it("that contain a UUID stay as they are", async () => {
    const id = "node-next-6f1c22a5-34f1-4a52-9d3c-0a1b2c3d4e5f";
    expect(await idsOf({ "a.csv": table(`${id},acme,u1,Opened,2026-03-01,pro`) }, await mapped(MAP))).toEqual([id]);
  });

  it("of rows without one are the same in a gzipped copy", async () => {
    const content = csv(row("u1"), row("u2"));
    expect(await idsOf({ "a.csv.gz": gzipSync(content) }, {})).toEqual(await idsOf({ "a.csv": content }, {}));
  });
});

describe("files of other tools without --from stop the command", () => {
  const at = "2026-03-01T09:30:00Z";
  it.each<[string, string, object]>([
    [
      "PostHog",
      "posthog",
      { uuid: "1", event: "x", distinct_id: "u1", timestamp: at, properties: { $groups: { company: "acme" } } },
    ],
    ["PostHog", "posthog", { event: "x", distinct_id: "u1", timestamp: at, properties: '{"$lib":"web"}' }],
    ["Amplitude", "amplitude", { $insert_id: "1", event_type: "x", user_id: "u1", event_time: at }],
    ["Mixpanel", "mixpanel", { event: "x", properties: { time: 1_772_357_400, distinct_id: "u1", $insert_id: "1" } }],
  ])("%s", async (tool, from, data) => {
    const { printed, hasStopped } = await dryRun({ "a.ndjson": JSON.stringify(data) });
    expect(printed).toEqual([`a.ndjson: This looks like ${tool}: add --from ${from}.`]);
    expect(hasStopped).toBe(true);
  });
});

describe("says", () => {
  it("that no column is the account", async () => {
    const { printed } = await dryRun({ "a.csv": "user_id,event,timestamp,org\nu1,Opened,2026-03-01,acme" });
    expect(printed[0]).toMatch(/^a\.csv: No column is the account\. userId = user_id, /);
  });

  it("on which line a broken row is, also after line feeds in quotes", async () => {
    const cells = '"a\r\nb",u1,Opened,2026-03-01';
    const { printed, messages } = await dryRun({ "a.csv": [HEADER, cells, "short", cells, ",,,"].join("\r\n") });
    expect(printed.filter((line) => line.startsWith("a.csv:"))).toEqual([
      expect.stringContaining("event = event"),
      expect.stringMatching(/^a\.csv:4: Invalid Record Length.* on line 4/),
      "a.csv:7: names neither an account nor a user",
    ]);
    expect(messages).toHaveLength(2);
  });

  it("what is wrong with a time", async () => {
    const rows = ["acme,u1,Opened,20.11.2026", "acme,u1,Opened,"];
    expect((await dryRun({ "a.csv": csv(...rows) })).printed.slice(1, 3)).toEqual([
      "a.csv:2: has the time “20.11.2026”, which is neither ISO 8601 (2026-11-20, 2026-11-20T09:30:00+01:00) nor a number since 1970",
      "a.csv:3: has no time",
    ]);
  });

  it("which keys a map may have", async () => {
    const { printed } = await dryRun({ "a.csv": csv(row("u1")) }, await mapped({ ...MAP, account: "org" }));
    expect(printed).toEqual([
      '--map: Unrecognized key: "account". Its keys are accountId, userId, event, timestamp, messageId, properties.',
    ]);
  });

  it("which groups there may be, without what Mixpanel adds", async () => {
    const properties = { time: 1_772_357_400, distinct_id: "u1", $os: "x", mp_lib: "web", company: "acme", count: 3 };
    const { printed } = await dryRun({ "a.ndjson": JSON.stringify({ event: "x", properties }) }, { from: "mixpanel" });
    expect(printed).toEqual(["Which group is the account? Name it with --group: company."]);
  });

  it("which --include occurs nowhere", async () => {
    const files = { "a.csv": csv(row("u1"), row("u1", "Opened")) };
    const { printed, hasStopped } = await dryRun(files, { include: ["Opened", "Closed"] });
    expect(printed.at(-1)).toBe("--include Closed: no row has this event.");
    expect(hasStopped).toBe(true);
    expect((await dryRun(files, { include: ["Opened"] })).messages).toHaveLength(1);
  });
});

it("sends the values of CSV as texts", async () => {
  const { messages } = await dryRun({ "a.csv": `${HEADER},amount\n${row("u1")},12.5` });
  expect(messages).toMatchObject([{ properties: { amount: "12.5" } }]);
});
