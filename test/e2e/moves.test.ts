/**
 * docs/wire/moves.md §9.1: a workspace that moves there and back while a client library sends, questions are asked,
 * runs start and items are dismissed. Its twin, which is used in the same way, never moves. `MOVES=20` moves it ten
 * times both ways.
 */
import { expect, it } from "vitest";
import { z } from "zod";

import { DAY_MS } from "../../src/core/durations.ts";
import { buildWorker } from "../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";
import { segment3 } from "./senders/libraries.ts";
import { expectStored, type Stream, streamOf } from "./senders/stream.ts";

const FLUSH_AT = 10;
const DISMISSALS = 4;
/** A multiple of the dismissals. */
const MOVES = Number(process.env["MOVES"] ?? DISMISSALS);
const TRACKS_PER_MOVE = 400 / MOVES;
const QUESTIONS = [
  "How many accounts do we have?",
  "How many events were there in the last 30 days?",
  "Which accounts are at risk?",
];

const Read = z.object({ workspace: z.object({ move: z.object({ state: z.string() }).nullable() }) });
const Accounts = z.object({ accounts: z.array(z.unknown()) });
const Items = z.object({
  items: z.array(z.looseObject({ id: z.string(), kind: z.string(), title: z.string() })),
});

it("§9.1 moves lose nothing, store nothing twice, and keep what a twin has that never moved", async () => {
  await using worker = await serveWorker(await buildWorker("test/workers/moves/worker.ts"), { databases: ["DB_1"] });
  const stream = streamOf(12, MOVES * TRACKS_PER_MOVE);
  const live = [...stream.tracks];
  const history = accountsWithItems(stream.tracks.length);
  stream.tracks.push(...history);
  const users = [await newUser(worker, stream, history), await newUser(worker, stream, history)] as const;
  const [mover, twin] = users;

  let due: Stream["tracks"] = [];
  let rounds = 0;
  /** Leaves a track for the write after the switch. */
  const use = async (tracks = Math.min(FLUSH_AT, due.length - 1)): Promise<void> => {
    const question = QUESTIONS[rounds % QUESTIONS.length] ?? "";
    rounds += 1;
    for (const { sent } of due.splice(0, tracks)) for (const { sender } of users) sender.track(sent);
    await Promise.all([
      ...users.flatMap((user) => [user.sender.flush(), user.ask(question)]),
      mover.recompute(),
      mover.post("/test/cron"),
    ]);
  };

  const useUntilSwitched = async (): Promise<void> => {
    while ((await mover.moveState()) !== "erasing") await use();
  };

  for (let move = 0; move < MOVES; move += 1) {
    const database = move % 2 === 0 ? "DB_1" : "DB";
    const dismisses = move % (MOVES / DISMISSALS) === 0;
    due = live.splice(0, TRACKS_PER_MOVE);
    expect((await worker.admin("POST", `${mover.path}/move`, { database })).status).toBe(202);
    const [dismissed] = await Promise.all([dismisses ? mover.dismissFirst() : null, useUntilSwitched()]);
    expect(dismisses ? await twin.dismissFirst() : null).toBe(dismissed);
    // A write tells the edge where the workspace is now. In production its cache would have expired.
    await use(due.length);
    expect(await (await mover.post(`/test/end-move/${mover.id}`)).json()).toEqual([]);
  }

  for (const user of users) await expectStored(worker, user, stream);
  for (const user of users) await expect.poll(user.recompute).toMatchObject({ complete: true });
  const outcomes = await mover.outcomes();
  expect(outcomes.dismissed).toHaveLength(DISMISSALS);
  expect(outcomes).toEqual(await twin.outcomes());
});

/** Accounts that were active on business days until 25 days ago, so that there are items, and one that still is. */
const accountsWithItems = (first: number): Stream["tracks"] =>
  ["steady", ...Array.from({ length: DISMISSALS }, (_, place) => `silent-${place}`)]
    .flatMap((account) =>
      Array.from({ length: account === "steady" ? 60 : 36 }, (_, place) => new Date(Date.now() - (60 - place) * DAY_MS))
        .filter((at) => at.getUTCDay() % 6 > 0)
        .map((timestamp) => ({ account, timestamp })),
    )
    .map(({ account, timestamp }, place) => {
      const properties = { n: first + place, accountId: account };
      const sent = { userId: `${account}-u`, event: "Report Exported", properties, timestamp };
      return { sent, account, name: "report.exported" };
    });

const nameOf = ({ kind, title }: { kind: string; title: string }): string => `${kind}: ${title}`;

/** A workspace with a history, and what is done with it. */
async function newUser(worker: ServedWorker, { groups, identifies }: Stream, history: Stream["tracks"]) {
  const { id, key } = await worker.createWorkspace({ writeLimit: 100_000, database: "DB" });
  const path = `/admin/workspaces/${id}`;
  const sender = segment3({ url: worker.url, writeKey: key, flushAt: FLUSH_AT });
  const call = (method: string, to: string, body?: unknown): Promise<Response> =>
    fetch(worker.url + to, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const post = (to: string, body?: unknown) => call("POST", to, body);
  const ask = async (question: string): Promise<unknown> => {
    const response = await post("/api/v1/ask", { question });
    expect(response.status).toBe(200);
    return response.json();
  };
  const recompute = async (): Promise<unknown> => {
    const response = await worker.admin("POST", `${path}/recompute`);
    expect(response.status).toBe(200);
    return response.json();
  };
  const items = async (status: string) =>
    Items.parse(await (await call("GET", `/api/v1/inbox?limit=200&status=${status}`)).json()).items;

  for (const group of groups) sender.group(group);
  for (const identify of identifies) sender.identify(identify);
  await sender.flush();
  for (const { sent } of history) sender.track(sent);
  await sender.flush();
  await recompute();
  return {
    id,
    key,
    path,
    sender,
    post,
    ask,
    recompute,
    moveState: async () => Read.parse(await (await worker.admin("GET", path)).json()).workspace.move?.state,
    /** Dismisses the first open item by name. Repeats the call, as clients do, while writes are refused. */
    dismissFirst: async (): Promise<string> => {
      const [first] = (await items("open")).toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
      if (first === undefined) throw new Error("no item is open");
      await expect.poll(async () => (await post(`/api/v1/inbox/${first.id}/dismiss`)).status).toBe(200);
      return nameOf(first);
    },
    outcomes: async () => ({
      accounts: comparable(Accounts.parse(await (await call("GET", "/api/v1/accounts?limit=200")).json()).accounts),
      open: comparable(await items("open")),
      dismissed: comparable(await items("dismissed")),
      resolved: comparable(await items("resolved")),
      answers: comparable(await Promise.all(QUESTIONS.map(ask))),
    }),
  };
}

/** Without random ids, and without times by the clock. Days stay. */
const comparable = (values: readonly unknown[]): string[] =>
  values
    .map((value) =>
      JSON.stringify(value)
        .replaceAll(/\b(acc|usr|itm)_[0-9a-f]{24}\b/g, "$1_*")
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "*"),
    )
    .toSorted();
