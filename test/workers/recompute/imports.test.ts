/** docs/recompute.md §10.9: an import's messages are folded at once, and scored at its end. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import type { Message } from "../../../src/core/ingest/message.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { findWorkspace, type Workspace } from "../../../src/db/workspaces/find-workspace.ts";
import { endImport, startImport } from "../../../src/services/workspaces/imports.ts";
import { addDestination, outboxOf } from "../support/destinations.ts";
import { readFold } from "./folded-state.ts";
import { anotherWorkspace, attributes, DAY, event, morningOf, newWorkspace, run, store } from "./runs.ts";
import { readOutcomes } from "./stored-outcomes.ts";

const FIRST_DAY = DAY - 130;
const SCORED_FROM = DAY - 90;

/** Two accounts that stay active, one that falls silent and comes back, and one that falls silent for good. */
const HISTORY: Message[] = ["steady", "also", "back", "lost"].flatMap((accountId) => [
  attributes({ accountId, attributes: { mrr: 500, currency: "EUR" }, occurredAt: morningOf(FIRST_DAY) }),
  ...Array.from({ length: DAY - FIRST_DAY }, (_, place) => FIRST_DAY + place)
    .filter((day) => (day + 3) % 7 < 5)
    .filter((day) => accountId !== "lost" || day < DAY - 30)
    .filter((day) => accountId !== "back" || day < DAY - 50 || day >= DAY - 35)
    .flatMap((day) =>
      ["u1", "u2"].map((user) => event({ accountId, userId: `${accountId}-${user}`, occurredAt: morningOf(day) })),
    ),
]);

async function entryOf({ id }: WorkspaceRef): Promise<Workspace> {
  const found = await findWorkspace(env, id);
  if (found === null) throw new Error("the workspace is not stored");
  return found;
}

const begin = async (workspace: WorkspaceRef): Promise<void> => {
  const options = { writeLimit: 10_000, ttlHours: 24 };
  expect(await startImport(env, await entryOf(workspace), options, Date.now(), "admin")).toBeTypeOf("object");
};

const finish = async (workspace: WorkspaceRef): Promise<void> => {
  expect(await endImport(env, await entryOf(workspace), "admin")).toBe(true);
};

const recent = (rows: object) =>
  Object.fromEntries(Object.entries(rows).filter(([key]) => Number(key.split(" ").at(-1)) >= SCORED_FROM));

/** The outcomes of the last 90 days. Items that are older may have opened on another day. */
async function recentOutcomes(workspace: WorkspaceRef) {
  const { days, contexts, ...rest } = await readOutcomes(workspace);
  return { ...rest, days: recent(days), contexts: recent(contexts) };
}

/** A workspace that received the history as it happened, and was scored every week. */
async function liveTwin(): Promise<WorkspaceRef> {
  const twin = await anotherWorkspace();
  for (let from = FIRST_DAY; from < DAY; from += 7) {
    const to = Math.min(from + 7, DAY);
    const isThen = ({ occurredAt }: Message) => occurredAt >= from * DAY_MS && occurredAt < to * DAY_MS;
    await store(twin, HISTORY.filter(isThen));
    await run(morningOf(to));
  }
  return twin;
}

describe("§10.9 an import", () => {
  it("§10.9 gives the scores and items that the last 90 days would have had, and no news", async () => {
    const workspace = await newWorkspace();
    const expected = await recentOutcomes(await liveTwin());
    expect(Object.keys(expected.items)).toEqual(expect.arrayContaining([expect.stringContaining("gone_silent")]));
    await addDestination(workspace);
    // The workspace was in use before, and scored.
    const early = HISTORY.filter(({ accountId }, index) => accountId !== "back" && index % 9 === 0);
    await store(workspace, early, morningOf(DAY));
    await run(morningOf(DAY) + 1_000);
    const before = [await readOutcomes(workspace), (await outboxOf(workspace)).length];

    await begin(workspace);
    const rest = HISTORY.filter((message) => !early.includes(message)).toReversed();
    for (const [part, now] of [
      [rest.slice(0, 300), 2_000],
      [rest.slice(300), 3_000],
    ] as const) {
      await store(workspace, part, morningOf(DAY) + 1_000);
      expect(await run(morningOf(DAY) + now)).toMatchObject({
        eventsFolded: part.length,
        accountsScored: 0,
        complete: true,
      });
    }
    expect([await readOutcomes(workspace), (await outboxOf(workspace)).length]).toEqual(before);
    const asOf = await env.DB.prepare("SELECT as_of FROM folds WHERE workspace = ?").bind(workspace.number).first();
    expect(asOf).toEqual({ as_of: morningOf(DAY) + 1_000 });
    const folded = (await readFold(workspace)).rollups;

    await finish(workspace);
    expect(await run(morningOf(DAY) + 4_000)).toMatchObject({ accountsScored: 4, complete: true });
    expect((await readFold(workspace)).rollups).toEqual(folded);
    expect(await recentOutcomes(workspace)).toEqual(expected);
    expect((await outboxOf(workspace)).length).toBe(before[1]);
  });

  it("§10.9 into a workspace that was never folded is no news either", async () => {
    const workspace = await newWorkspace();
    await addDestination(workspace);
    await begin(workspace);
    await store(
      workspace,
      HISTORY.filter(({ accountId, occurredAt }) => accountId !== "also" || occurredAt < morningOf(DAY - 17)),
      morningOf(DAY),
    );
    await finish(workspace);
    expect(await run(morningOf(DAY))).toMatchObject({ accountsScored: 4, complete: true });
    expect(Object.keys((await readOutcomes(workspace)).items)).not.toEqual([]);
    expect(await outboxOf(workspace)).toEqual([]);
  });

  it("§10.9 skips no day that passes meanwhile", async () => {
    const workspace = await newWorkspace();
    await store(workspace, HISTORY, morningOf(DAY));
    await run(morningOf(DAY));
    await begin(workspace);
    expect(await run(morningOf(DAY + 1))).toMatchObject({ accountsScored: 0 });
    expect(await run(morningOf(DAY + 3))).toMatchObject({ accountsScored: 0 });
    await finish(workspace);
    await run(morningOf(DAY + 3) + 1);
    const { days } = await readOutcomes(workspace);
    const steady = Object.keys(days).flatMap((key) => (key.includes("steady") ? Number(key.split(" ").at(-1)) : []));
    expect(steady.slice(-4)).toEqual([DAY - 1, DAY, DAY + 1, DAY + 2]);
  });
});
