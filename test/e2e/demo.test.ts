/**
 * `npm run demo`: the story it tells, and what is there to be seen of it in a running service.
 *
 * Outcomes depend on the day of the week on which it is first run, and on nothing else of the date: what is promised is
 * shown for several of them through the rules themselves.
 */
// oxlint-disable-next-line import/no-unassigned-import -- it declares what src/db is written in, and exports nothing

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { type Message, messagesOf } from "../../scripts/demo/messages.ts";
import type { Fate } from "../../scripts/demo/model.ts";
import { happeningsOf, storiesFrom } from "../../scripts/demo/story.ts";
import { openService, recomputeAfter, type Service as Local } from "../../evals/health/service/feed.ts";
import { ItemWatch, readHealth } from "../../evals/health/service/outcomes.ts";
import { startOf } from "../../evals/simulator/calendar.ts";
import { readSettings } from "../../scripts/start/settings.ts";
import { demoCommand, welcome } from "../../scripts/start/welcome.ts";
import { MAX_BATCH_BYTES, MAX_WRITE_LIMIT } from "../../src/config.ts";
import { mapCdpBody, MAX_BATCH_MESSAGES } from "../../src/core/ingest/cdp-body.ts";
import { storeBatch } from "../../src/db/ingest/store-messages.ts";
import { type ProcessGroup, startGroup } from "./harness/process-group.ts";
import { commandsOf } from "./harness/readme.ts";
import { type Service, startService } from "./harness/service.ts";
import { until } from "./harness/until.ts";

const MONDAY = 322;
/** Before a weekend, in it, and right after it: what a day sees of the week before differs most between these. */
const FILLED_ON = [MONDAY, MONDAY + 3, MONDAY + 5];

const toldUntil = (first: number, until_: number): Message[] => {
  const stories = storiesFrom(first);
  return messagesOf(stories, happeningsOf(stories, first, until_), until_);
};

describe("the story", () => {
  const messages = toldUntil(MONDAY, MONDAY);
  const times = messages.map(({ timestamp }) => Date.parse(timestamp));

  it("is the same each time, and no message is in it twice", () => {
    expect(toldUntil(MONDAY, MONDAY)).toEqual(messages);
    expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(messages.length);
  });

  it("goes on with each day, and what was told before stays as it was", () => {
    const before = new Set(messages.map((message) => JSON.stringify(message)));
    const later = toldUntil(MONDAY, MONDAY + 5);
    const [told, news] = [later.slice(0, messages.length), later.slice(messages.length)];
    expect(told.every((message) => before.has(JSON.stringify(message)))).toBe(true);
    expect(news.length).toBeGreaterThan(1_000);
    expect(news.every(({ timestamp }) => Date.parse(timestamp) >= startOf(MONDAY))).toBe(true);
  });

  it("is of ninety days up to the end of yesterday, in the order in which it happened", () => {
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times[0]).toBeGreaterThanOrEqual(startOf(MONDAY - 90));
    expect(times.at(-1)).toBeLessThan(startOf(MONDAY));
    expect(times.at(-1)).toBeGreaterThan(startOf(MONDAY - 1) + 12 * 3_600_000);
  });

  it("fits into a minute: less than 100,000 messages, in batches that the service takes", () => {
    expect(messages.length).toBeLessThan(100_000);
    for (let first = 0; first < messages.length; first += MAX_BATCH_MESSAGES) {
      const body = JSON.stringify({ batch: messages.slice(first, first + MAX_BATCH_MESSAGES) });
      expect(Buffer.byteLength(body)).toBeLessThan(MAX_BATCH_BYTES);
    }
  });

  it("is of sixty companies, which pay from 50 to 12,000", () => {
    const stories = storiesFrom(MONDAY);
    expect(new Set(stories.map(({ company }) => company.id)).size).toBe(60);
    const prices = stories.flatMap(({ plan }) => plan.traits.flatMap(({ traits }) => traits["mrr"] ?? []));
    expect(Math.min(...prices.map(Number))).toBeGreaterThanOrEqual(50);
    expect(Math.max(...prices.map(Number))).toBeLessThanOrEqual(12_000);
    expect(Math.max(...prices.map(Number))).toBeGreaterThan(5_000);
  });
});

describe.each(FILLED_ON)("the fates, first filled on day %i", (today) => {
  let service: Local;
  const states = new Map<string, string>();
  const open: string[] = [];
  const fates = new Map<string, Fate>(storiesFrom(today).map(({ company }) => [company.id, company.fate]));

  beforeAll(async () => {
    service = await openService();
    const watch = await ItemWatch.from(service);
    await store(service, toldUntil(today, today), startOf(today));
    await recomputeAfter(service, today - 1);
    for (const [account, rows] of await readHealth(service)) states.set(account, rows.at(-1)?.state ?? "");
    await watch.look(today - 1);
    for (const { account, kind, resolvedDay } of watch.seen) {
      if (resolvedDay === null) open.push(`${fates.get(account ?? "") ?? ""}: ${kind}`);
    }
  });
  afterAll(() => service.database.close());

  const of = (fate: Fate): string[] =>
    [...fates].filter(([, known]) => known === fate).map(([account]) => states.get(account) ?? "");

  it("are a believable mix", () => {
    const counts = Map.groupBy(states.values(), (state) => state);
    const count = (state: string): number => counts.get(state)?.length ?? 0;
    expect(count("healthy")).toBeGreaterThanOrEqual(33);
    expect(count("healthy")).toBeLessThanOrEqual(40);
    expect(count("watch")).toBeGreaterThanOrEqual(10);
    expect(count("at_risk")).toBeGreaterThanOrEqual(6);
    expect(count("churned")).toBe(2);
    expect(count("insufficient_data")).toBe(1);
  });

  it("come to the items that they are there for, and to few others", () => {
    expect(open).toEqual(
      expect.arrayContaining([
        "sudden_drop: usage_drop",
        "gone_silent: gone_silent",
        "long_silent: gone_silent",
        "contraction: contraction",
        "fizzled_trial: trial_ending_low_activity",
        "ready_trial: trial_ending_ready",
        "feature_dropped: feature_dropped",
        "fast_riser: usage_growth",
        "full_house: seats_nearly_full",
      ]),
    );
    expect(open.length).toBeLessThanOrEqual(14);
  });

  it("end where they lead to", () => {
    for (const fate of ["gone_silent", "long_silent", "sudden_drop", "faded"] as const) {
      expect(of(fate), fate).toEqual(of(fate).map(() => "at_risk"));
    }
    for (const fate of ["grower", "fast_riser", "full_house", "adopter", "always_on", "converted_trial"] as const) {
      expect(of(fate), fate).toEqual(of(fate).map(() => "healthy"));
    }
    expect([...of("churned"), ...of("lost_trial")]).toEqual(["churned", "churned"]);
  });
});

async function store({ env, workspace }: Local, messages: readonly Message[], receivedAt: number): Promise<void> {
  for (let first = 0; first < messages.length; first += MAX_BATCH_MESSAGES) {
    const batch = messages.slice(first, first + MAX_BATCH_MESSAGES);
    const read = { lone: false, items: batch, sentAt: null, measured: null };
    const mapped = mapCdpBody(read, { receivedAt, pathType: null, newMessageId: () => "" });
    const { messages: internal, rejections } = mapped;
    if (rejections.length > 0) throw new Error("a message of the story was rejected");
    await storeBatch(env, workspace, "key", { source: "cdp", receivedAt, messages: internal, rejections });
  }
}

const demoWith = (env: NodeJS.ProcessEnv): string => demoCommand(readSettings("/", env));

function welcomeWith(stored: number, source: "environment" | ".dev.vars" = ".dev.vars"): string {
  const workspace = { workspaceId: "ws_1", ingestKey: "bik_1" };
  return welcome(
    "http://127.0.0.1:8790",
    workspace,
    { value: "x", source },
    { stored, demo: "PORT=8790 npm run demo" },
  );
}

describe("what npm start says of it", () => {
  it("is the command that finds the same service", () => {
    expect(demoWith({})).toBe("npm run demo");
    expect(demoWith({ PORT: "8787", BIND_ADDRESS: "127.0.0.1", STATE_DIR: "elsewhere" })).toBe("npm run demo");
    expect(demoWith({ PORT: "8790", BIND_ADDRESS: "0.0.0.0" })).toBe("BIND_ADDRESS=0.0.0.0 PORT=8790 npm run demo");
  });

  it("is that there is little to see, for as long as that is so", () => {
    expect(welcomeWith(1)).toContain(
      "There is little in it yet: `PORT=8790 npm run demo`, in another terminal, gives it",
    );
    expect(welcomeWith(1, "environment")).toContain("in another terminal, with the same ADMIN_TOKEN, gives it");
    expect(welcomeWith(46_306)).toContain("\nIt holds 46,306 messages.\n");
    expect(welcomeWith(46_306)).not.toContain("little");
  });
});

/** A run takes 20 s on a quiet machine. */
const DEMO_MS = 180_000;
const START_AND_DEMO_MS = 300_000;
const Stored = z.object({
  workspaces: z.array(
    z.object({
      name: z.string(),
      writeLimit: z.number(),
      dpa: z.unknown(),
      counters: z.object({ stored: z.number(), rejected: z.number() }),
      keys: z.array(z.object({ name: z.string().nullable(), revokedAt: z.string().nullable() })),
    }),
  ),
});

const NewKey = z.object({ key: z.object({ key: z.string() }) });
const Items = z.object({ items: z.array(z.object({ id: z.string() })) });
const READING_KEY = /^demo \d{4}-\d{2}-\d{2}$/;

describe("npm run demo", () => {
  let service: Service;
  let first: { code: number | null; output: string };
  beforeAll(async () => {
    service = await startService();
    // Nothing that this one left undone is missing after the next.
    await breakOff("SIGINT");
    first = await demo();
  }, START_AND_DEMO_MS);
  afterAll(() => service[Symbol.asyncDispose]());

  function startDemo(env: Record<string, string> = {}): ProcessGroup {
    const settings = { PORT: new URL(service.url).port, STATE_DIR: service.stateDir, ADMIN_TOKEN: service.adminToken };
    return startGroup("npm", ["run", "demo"], { env: { ...settings, ...env } });
  }

  async function demo(env: Record<string, string> = {}) {
    const group = startDemo(env);
    await until(() => group.hasEnded(), { withinMs: DEMO_MS, what: "the end of npm run demo" });
    return { code: group.exitCode(), output: group.output() };
  }

  /** Ends a run by Ctrl-C, or as a supervisor does, while it sends. */
  async function breakOff(signal: "SIGINT" | "SIGTERM") {
    const group = startDemo();
    await until(isSending, { withinMs: DEMO_MS, everyMs: 10, what: "the key to send with" });
    group.signalAll(signal);
    await until(() => group.hasEnded(), { withinMs: DEMO_MS, what: "the end of npm run demo" });
    return { code: group.exitCode(), output: group.output() };
  }

  const workspaces = async () =>
    Stored.parse(await (await service.admin("GET", "/admin/workspaces")).json()).workspaces;

  /** Those of the demo's keys that stand. */
  async function standingKeys(): Promise<string[]> {
    const [workspace] = await workspaces();
    return (workspace?.keys ?? []).flatMap(({ name, revokedAt }) =>
      name !== null && /^demo (?!ingest)/.test(name) && revokedAt === null ? [name] : [],
    );
  }

  const isSending = async () => (await standingKeys()).includes("demo sender");

  async function newKey(body: object): Promise<string> {
    const answer = await (await service.admin("POST", `/admin/workspaces/${await id()}/keys`, body)).json();
    return NewKey.parse(answer).key.key;
  }

  const limitTo = async (writeLimit: number) =>
    await service.admin("PATCH", `/admin/workspaces/${await id()}`, { writeLimit });

  it("fills the workspace that npm start made, and leaves it with the usual limit and no key of its own", async () => {
    expect(first).toMatchObject({ code: 0 });
    const [demoWorkspace, ...others] = await workspaces();
    expect(others).toEqual([]);
    expect(demoWorkspace).toMatchObject({ name: "Demo", writeLimit: 100 });
    expect(demoWorkspace?.counters.stored).toBeGreaterThan(30_000);
    expect(demoWorkspace?.counters.rejected).toBeLessThan(20);
    expect(demoWorkspace?.dpa).toMatchObject({ acceptedBy: "The demo" });
    expect(await standingKeys()).toEqual([expect.stringMatching(READING_KEY)]);
  });

  /** A number that the first run printed. */
  const figure = (place: RegExp): number => Number(place.exec(first.output)?.[1]?.replaceAll(",", ""));

  it("says how many messages of which kind there are, so that they come to what was stored and rejected", () => {
    const sent =
      figure(/yesterday: ([\d,]+) messages…/) +
      figure(/today, ([\d,]+) new captures/) +
      figure(/ (\d+) messages with mistakes/);
    expect(
      figure(/^([\d,]+) messages stored/m) + figure(/stored, ([\d,]+) known/) + figure(/, (\d+) rejected for/),
    ).toBe(sent);
  });

  it("has nothing of npm start's own requests in that one's output, which tells of those of others", () => {
    const [welcomed = "", after] = service.output().split("$READ_KEY");
    expect(welcomed).not.toContain('{"requestId"');
    expect(after).toContain('{"requestId"');
    expect(service.output()).not.toContain('"operation":"readiness"');
  });

  it("prints where to look, and its key once", () => {
    expect(first.output).toMatch(/Console: http\S+\/console\//);
    expect(first.output.match(/bik_\w{30}/g)).toHaveLength(1);
  });

  it("prints commands that work when pasted", () => {
    const commands = first.output.slice(first.output.indexOf("  KEY="));
    const printed = execFileSync("bash", ["-euo", "pipefail", "-c", commands], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [accounts, answer] = printed.split(/(?<=\})(?=\{"ok")/).map((json): unknown => JSON.parse(json));
    expect(accounts).toMatchObject({ ok: true, accounts: expect.arrayContaining([expect.anything()]) });
    expect(answer).toMatchObject({ ok: true, knows: true, value: expect.any(Number) });
  });

  it("has names, rejected messages, an account with markup in its name, and items that were put aside", async () => {
    const key = await newKey({ name: "test" });
    const get = async (path: string): Promise<unknown> =>
      (await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })).json();
    expect(await get("/api/v1/accounts/juniper-foods")).toMatchObject({
      account: { identity: { company: "Juniper Foods" }, health: { state: "at_risk" } },
    });
    expect(await get(`/api/v1/accounts/${encodeURIComponent("<b>Bobby & Sons</b>")}`)).toMatchObject({
      account: { externalId: "<b>Bobby & Sons</b>", kind: "company" },
    });
    expect(await get("/api/v1/accounts/ida-brandt")).toMatchObject({ account: { kind: "solo" } });
    expect(await get("/api/v1/rejected")).toMatchObject({ rejected: expect.arrayContaining([expect.anything()]) });
    expect(await get("/api/v1/inbox?status=dismissed")).toMatchObject({ items: [{ kind: "gone_silent" }] });
    expect(await get("/api/v1/inbox?status=snoozed")).toMatchObject({ items: [{ kind: "seats_nearly_full" }] });
  });

  it(
    "stores nothing new when it is run again, leaves what people changed, and takes the place of the runs before",
    async () => {
      const headers = { authorization: `Bearer ${await newKey({ name: "test" })}` };
      const dismissed = async () =>
        Items.parse(await (await fetch(`${service.url}/api/v1/inbox?status=dismissed`, { headers })).json()).items;
      for (const item of await dismissed()) {
        await fetch(`${service.url}/api/v1/inbox/${item.id}/dismiss`, { method: "DELETE", headers });
      }
      await service.admin("DELETE", `/admin/workspaces/${await id()}/dpa`);
      await limitTo(250);
      await newKey({ name: "demo sender" });

      const [before] = await workspaces();
      const second = await demo();
      expect(second).toMatchObject({ code: 0, output: expect.stringContaining("0 messages stored") });
      const [after] = await workspaces();
      expect(after).toMatchObject({ counters: before?.counters, writeLimit: 250, dpa: null });
      expect(await dismissed()).toEqual([]);
      expect(await standingKeys()).toEqual([expect.stringMatching(READING_KEY)]);
    },
    START_AND_DEMO_MS,
  );

  it.each([
    { signal: "SIGINT", found: 250, left: 250 },
    { signal: "SIGTERM", found: MAX_WRITE_LIMIT, left: 100 },
  ] as const)(
    "broken off by $signal at a limit of $found, it leaves one of $left and no key to send with",
    async ({ signal, found, left }) => {
      await limitTo(found);
      const ended = await breakOff(signal);
      expect(ended).toEqual({ code: 130, output: expect.stringContaining("npm run demo: stopped.") });
      expect((await workspaces())[0]?.writeLimit).toBe(left);
      expect(await standingKeys()).not.toContain("demo sender");
    },
    START_AND_DEMO_MS,
  );

  it("is beside the workspace that the README makes for its examples", async () => {
    const [block = ""] = commandsOf("What the examples use");
    const folder = mkdtempSync(join(tmpdir(), "examples-"));
    try {
      writeFileSync(join(folder, ".dev.vars"), `ADMIN_TOKEN=${service.adminToken}\n`);
      const command = `${block.replace("http://127.0.0.1:8787", service.url)}\nnode -p 'JSON.stringify(process.env)'`;
      const printed = execFileSync("bash", ["-euo", "pipefail", "-c", command], { cwd: folder, encoding: "utf8" });
      const { URL: url, KEY: key, WORKSPACE: made } = z.record(z.string(), z.string()).parse(JSON.parse(printed));
      const read = await fetch(`${url ?? ""}/api/v1/accounts`, { headers: { authorization: `Bearer ${key ?? ""}` } });
      expect(await read.json()).toMatchObject({ ok: true, accounts: [] });
      expect((await service.admin("DELETE", `/admin/workspaces/${made ?? ""}`)).status).toBe(200);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("says in a line that no service is running", async () => {
    const { code, output } = await demo({ PORT: "1" });
    expect(code).toBe(1);
    expect(output).toContain("npm run demo: Nothing answers at http://127.0.0.1:1. Start the service first");
  });

  it("says in a line that the token is another", async () => {
    const { code, output } = await demo({ ADMIN_TOKEN: "another-token-0123456789abcdefghijkl" });
    expect(code).toBe(1);
    expect(output).toContain("npm run demo: GET /admin/workspaces");
  });

  async function id(): Promise<string> {
    const answer = await (await service.admin("GET", "/admin/workspaces")).json();
    return z.object({ workspaces: z.tuple([z.object({ id: z.string() })]) }).parse(answer).workspaces[0].id;
  }
});
