/** docs/recompute.md §10.8: what the recompute puts into the outbox, and what it doesn't. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import type { NewsFilter } from "../../../src/core/notify/model.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { busyWorkspace, NOW } from "../recompute/busy-workspace.ts";
import { attributes, DAY, HOUR_MS, morningOf, newWorkspace, run, startRun, store } from "../recompute/runs.ts";
import { goSilent, makeActive, SILENT, use } from "./silent-account.ts";
import { addDestination, outboxOf, markOwner } from "../support/destinations.ts";
import { databaseWith, envWith } from "../support/faulty-env.ts";
import { expireLeases } from "../support/leases.ts";

beforeEach(() => expireLeases());

async function accountNumber({ number }: WorkspaceRef, externalId: string): Promise<number> {
  const found = await env.DB.prepare("SELECT number FROM accounts WHERE workspace = ? AND external_id = ?")
    .bind(number, externalId)
    .first<number>("number");
  if (found === null) throw new Error("no such account");
  return found;
}

/** Lists the types in the outbox of a destination, in order. */
const typesFor = async (workspace: WorkspaceRef, destination: number): Promise<string[]> =>
  (await outboxOf(workspace)).flatMap((row) => (row.destination === destination ? row.type : []));

describe("§10.8 an outcome that destinations want", () => {
  it("§10.8 is stored with codes only, and is due at once", async () => {
    const workspace = await makeActive(await newWorkspace());
    const destination = await addDestination(workspace, {
      events: ["inbox.opened"],
      filter: { kinds: ["gone_silent"] },
    });
    await goSilent(workspace, DAY + 1, SILENT + 2);
    const items = await env.DB.prepare(
      "SELECT number, opened_day FROM inbox_items WHERE workspace = ? AND kind = 'gone_silent'",
    )
      .bind(workspace.number)
      .all<{ number: number; opened_day: number }>();
    expect(items.results).toHaveLength(1);
    const [item] = items.results;
    const openedAt = morningOf((item?.opened_day ?? 0) + 1);
    expect(await outboxOf(workspace)).toEqual([
      {
        number: workspace.number * 2 ** 32 + 1,
        id: expect.stringMatching(/^ntf_[0-9a-f]{24}$/),
        destination,
        type: "inbox.opened",
        subject: item?.number,
        day: item?.opened_day,
        change: "",
        detail: null,
        createdAt: openedAt,
        nextAttemptAt: openedAt,
        failures: 0,
      },
    ]);
  });

  it("§10.8 is told when it is withdrawn, and again when it is open again", async () => {
    const workspace = await makeActive(await newWorkspace());
    const filter = { kinds: ["gone_silent" as const] };
    await addDestination(workspace, { events: ["inbox.opened", "inbox.resolved"], filter });
    await goSilent(workspace, DAY + 1, SILENT);
    const [opened] = await outboxOf(workspace);
    expect(opened).toMatchObject({ type: "inbox.opened" });
    // Late events show that the account was not silent. Then it is.
    await use(workspace, "acme", DAY, DAY + 4);
    await goSilent(workspace, SILENT + 1, SILENT + 1);
    const news = await outboxOf(workspace);
    expect(news.map(({ type, change, subject }) => ({ type, change, subject }))).toEqual([
      { type: "inbox.opened", change: "", subject: opened?.subject },
      { type: "inbox.resolved", change: "withdrawn", subject: opened?.subject },
    ]);
    await goSilent(workspace, SILENT + 2, SILENT + 7);
    expect((await outboxOf(workspace)).map(({ type }) => type)).toEqual([
      "inbox.opened",
      "inbox.resolved",
      "inbox.opened",
    ]);
  });

  it("§10.8 has the earlier state of an account whose health changed", async () => {
    const workspace = await makeActive(await newWorkspace());
    await addDestination(workspace, { events: ["health.changed"] });
    await goSilent(workspace, DAY + 1, SILENT);
    const { results: days } = await env.DB.prepare("SELECT day, state FROM health_days WHERE account = ? ORDER BY day")
      .bind(await accountNumber(workspace, "acme"))
      .all<{ day: number; state: string }>();
    const changes = days.flatMap(({ day, state }, index) => {
      const before = days[index - 1]?.state;
      return day >= DAY && before !== state ? [{ day, change: state, detail: before }] : [];
    });
    expect(changes.length).toBeGreaterThan(0);
    const acme = await accountNumber(workspace, "acme");
    const news = (await outboxOf(workspace)).filter(({ subject }) => subject === acme);
    expect(news.map(({ day, change, detail }) => ({ day, change, detail }))).toEqual(changes);
  });

  it("§10.8 about the workspace as a whole is told, unless a filter is about accounts", async () => {
    const workspace = await newWorkspace();
    for (const accountId of ["acme", "beside"]) await use(workspace, accountId, DAY - 62, DAY);
    await run(morningOf(DAY));
    const filters = [{}, { kinds: ["tracking_stopped" as const] }, { minSeverity: "critical" as const }];
    const about = [{ minMrr: 0 }, { owner: "ann" }];
    for (const filter of [...filters, ...about]) await addDestination(workspace, { events: ["inbox.opened"], filter });
    for (let day = DAY + 1; day < DAY + 9; day += 1) await run(morningOf(day));
    const first = workspace.number * 2 ** 32;
    const { number } = (await env.DB.prepare("SELECT number FROM inbox_items WHERE workspace = ? AND account = 0")
      .bind(workspace.number)
      .first<{ number: number }>()) ?? { number: 0 };
    const told = (await outboxOf(workspace)).filter(({ subject }) => subject === number);
    expect(told.map(({ destination }) => destination - first)).toEqual([1, 2, 3]);
  });

  it("§10.8 passes filters by kind, severity, MRR and owner", async () => {
    const workspace = await makeActive(await newWorkspace());
    await markOwner(await accountNumber(workspace, "acme"), "ann");
    const filters: [NewsFilter, boolean][] = [
      [{}, true],
      [{ kinds: ["gone_silent", "usage_drop"] }, true],
      [{ kinds: ["usage_growth"] }, false],
      [{ minSeverity: "low" }, true],
      [{ minSeverity: "high" }, true],
      [{ minSeverity: "critical" }, false],
      [{ minMrr: 500 }, true],
      [{ minMrr: 501 }, false],
      [{ owner: "ann" }, true],
      [{ owner: "Ann" }, false],
      [{ owner: "ann", minMrr: 501 }, false],
    ];
    const expected = new Map<number, boolean>();
    for (const [filter, passes] of filters) {
      const number = await addDestination(workspace, {
        events: ["inbox.opened"],
        filter,
      });
      expected.set(number, passes);
    }
    await goSilent(workspace, DAY + 1, SILENT);
    const got = new Set((await outboxOf(workspace)).map(({ destination }) => destination));
    expect([...expected].map(([number]) => got.has(number))).toEqual([...expected.values()]);
  });
});

describe("§10.8 an item about lost MRR", () => {
  it("§10.8 passes a minimum that the account reached before, which other news doesn't", async () => {
    const workspace = await makeActive(await newWorkspace());
    const events = ["inbox.opened" as const, "health.changed" as const];
    const fallen = attributes({ attributes: { mrr: 100, currency: "EUR" }, occurredAt: morningOf(DAY) });
    await store(workspace, [fallen]);
    const minimums = [100, 101, 500, 501];
    const numbers: number[] = [];
    for (const minMrr of minimums) numbers.push(await addDestination(workspace, { events, filter: { minMrr } }));
    await goSilent(workspace, DAY + 1, SILENT);
    const { results } = await env.DB.prepare(
      "SELECT number FROM inbox_items WHERE workspace = ? AND kind = 'contraction'",
    )
      .bind(workspace.number)
      .all<{ number: number }>();
    expect(results).toHaveLength(1);
    const told = await outboxOf(workspace);
    const about = numbers.map((number) => told.filter(({ destination }) => destination === number));
    expect(about[0]?.length).toBeGreaterThan(1);
    const subjects = about.slice(1).map((rows) => rows.map(({ subject }) => ({ number: subject })));
    expect(subjects).toEqual([results, results, []]);
  });
});

describe("§10.8 nobody is told", () => {
  it("§10.8 by a destination that wants other events, is disabled, or was made after the outcome", async () => {
    const workspace = await makeActive(await newWorkspace());
    const other = await addDestination(workspace, { events: ["digest"] });
    const disabled = await addDestination(workspace, { disabledAt: 1, disabledReason: "gone" });
    await goSilent(workspace, DAY + 1, SILENT);
    const late = await addDestination(workspace);
    await run(morningOf(SILENT + 1) + HOUR_MS);
    for (const destination of [other, disabled, late]) expect(await typesFor(workspace, destination)).toEqual([]);
  });

  it("§10.8 of another workspace's outcomes", async () => {
    const other = await newWorkspace();
    await addDestination(other);
    const workspace = await makeActive(await newWorkspace());
    await addDestination(workspace);
    await goSilent(workspace, DAY + 1, SILENT);
    expect(await outboxOf(other)).toEqual([]);
    expect(await outboxOf(workspace)).not.toEqual([]);
  });

  it("§10.8 by repeated runs", async () => {
    const workspace = await busyWorkspace(false);
    await addDestination(workspace);
    await run(NOW);
    const told = await outboxOf(workspace);
    expect(told.length).toBeGreaterThan(1);
    await env.DB.prepare("UPDATE account_progress SET due_at = 0, score_from = ?")
      .bind(DAY - 5)
      .run();
    await run(NOW + HOUR_MS);
    expect(await outboxOf(workspace)).toEqual(told);
  });

  it("§10.8 of days that a rebuild scores, but of those after it", async () => {
    const workspace = await busyWorkspace(true);
    await addDestination(workspace);
    await run(NOW);
    expect(await outboxOf(workspace)).toEqual([]);
    const quiet = () =>
      env.DB.prepare("SELECT quiet_through FROM folds WHERE workspace = ?")
        .bind(workspace.number)
        .first("quiet_through");
    expect(await quiet()).toBe(DAY - 1);
    for (let day = DAY + 1; day < DAY + 9; day += 1) await run(morningOf(day));
    expect((await outboxOf(workspace)).map(({ day }) => day >= DAY)).toContain(true);
    expect((await outboxOf(workspace)).map(({ day }) => day >= DAY)).not.toContain(false);
    expect(await quiet()).toBe(DAY - 1);
  });

  it("§10.8 of days that were over long before the run", async () => {
    const workspace = await makeActive(await newWorkspace());
    await addDestination(workspace);
    await run(morningOf(SILENT + 20));
    const days = (await outboxOf(workspace)).map(({ day }) => day);
    expect(Math.min(...days, Infinity)).toBeGreaterThan(SILENT + 20 - 4);
  });
});

/** Runs a busy workspace with destinations. @returns the rows it wrote, its round trips, and its statements */
async function costOf(prepare: (workspace: WorkspaceRef) => Promise<unknown>) {
  const workspace = await busyWorkspace(false);
  await prepare(workspace);
  let statements = 0;
  const { DB, trips } = databaseWith((step, _, sent = []) => {
    statements += sent.length;
    return step();
  });
  const outcome = await startRun(NOW, {}, envWith({ DB }));
  if (outcome.outcome !== "done") throw new Error("it did not run");
  const news = (await outboxOf(workspace)).length;
  return { rows: outcome.run.rowsWritten, trips: trips(), statements, news };
}

describe("§10.8 the outbox's cost", () => {
  it("§10.8 is no row for outcomes that nobody wants, and three for each notification", async () => {
    const without = await costOf(async () => undefined);
    expect(without.news).toBe(0);
    expect(await costOf((workspace) => addDestination(workspace, { events: ["digest"] }))).toEqual(without);
    const told = await costOf((workspace) => addDestination(workspace));
    expect(told.news).toBeGreaterThan(1);
    expect(told).toEqual({ ...without, news: told.news, rows: without.rows + 3 * told.news });
  });
});
