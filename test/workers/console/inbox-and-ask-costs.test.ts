/** What the inbox and questions cost in the console: round trips to D1, how SQLite finds the rows, and bytes. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { KEY_CACHE_MS } from "../../../src/config.ts";
import { recompute } from "../../../src/recompute/recompute.ts";
import { fullScans } from "../costs/full-scans.ts";
import { type Meter, newMeter } from "../costs/meter.ts";
import { DAY, outcomesOf, setRuns } from "../support/outcomes.ts";
import { titlesOn } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

const ACCOUNTS = 10_000;
const MAX_PAGE_BYTES = 100_000;

/** The numbers from 1 to ?2, as `value`. */
const SERIES = `(WITH RECURSIVE series (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM series WHERE value < ?2)
  SELECT value FROM series)`;

const EVIDENCE = JSON.stringify([
  { code: "user_days", value: 12, expected: 41.5, window: { from: DAY - 13, to: DAY } },
  { code: "z", value: -4.2, expected: -3.5, window: { from: DAY - 13, to: DAY } },
]);

let meter: Meter;
let page: Browser;
let item: string;
let at: string;

beforeAll(async () => {
  meter = await newMeter();
  page = await signedIn(meter.workspace.key);
  at = `/console/w/${meter.workspace.id}`;
  const { number } = await meter.workspace.ref();
  await setRuns({ asOf: Date.now() });
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO accounts (id, workspace, kind, external_id, attributes, created_at)
      SELECT printf('acc_%024d', value), ?1, 'company', printf('a company of the workspace %d', value),
        json_object('mrr', json_array(value, 0, 0), 'currency', json_array('EUR', 0, 0)), 0
      FROM ${SERIES}`,
    ).bind(number, ACCOUNTS),
    env.DB.prepare(
      `INSERT INTO inbox_items (id, workspace, account, kind, subject, occurrence, opened_day, confirmed_day, severity,
        confidence, rank, evidence)
      SELECT replace(id, 'acc', 'itm'), ?1, number, 'usage_drop', '', 1, ?2, ?2, 'high', 'high', number % 100 / 10.0, ?3
      FROM accounts WHERE workspace = ?1`,
    ).bind(number, DAY, EVIDENCE),
  ]);
  ({ id: item } = await (await outcomesOf(meter.workspace)).item({ resolvedDay: DAY }));
});

afterEach(() => vi.useRealTimers());

const cost = (method: string, path: string, body?: string) =>
  meter.request(method, at + path, body, {
    Cookie: page.cookie,
    Origin: "https://ingest.test",
    "Content-Type": "application/x-www-form-urlencoded",
  });

const INBOXES = [
  "/inbox",
  "/inbox?status=snoozed",
  "/inbox?status=dismissed",
  "/inbox?status=resolved",
  "/inbox?kind=usage_drop",
];

describe(`the inbox of ${ACCOUNTS} accounts`, () => {
  it("costs two round trips to D1, that of the session included, and so does a mark", async () => {
    for (const path of INBOXES) expect(await cost("GET", path), path).toMatchObject({ status: 200, trips: 2 });
    for (const action of ["dismiss", "dismiss/undo", "snooze", "snooze/undo"]) {
      const marked = await cost("POST", `/inbox/${item}/${action}`, "days=1");
      expect(marked, action).toMatchObject({ status: 303, trips: 2, objectCalls: 0 });
    }
  });

  it("scans no table", async () => {
    for (const path of INBOXES) {
      for (const { sql, values } of (await cost("GET", path)).statements) {
        expect(await fullScans(sql, values), sql).toEqual([]);
      }
    }
  });

  it.each(["", "?kind=usage_drop"])("has a page of twenty items in less than 100 KB: %s", async (query) => {
    const { html } = await page.get(`${at}/inbox${query}`);
    expect(titlesOn(html)).toHaveLength(20);
    expect(new TextEncoder().encode(html).byteLength).toBeLessThan(MAX_PAGE_BYTES);
  });
});

describe(`questions about ${ACCOUNTS} accounts`, () => {
  beforeAll(async () => {
    await recompute(env, { now: Date.now(), trigger: "admin", clock: Date.now, budgetMs: 60_000, retentionDays: 400 });
  });

  it("§15.8 cost the two round trips of their answers, a session that was not here for 30 s one more; examples cost one", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const ask = () => cost("GET", `/ask?q=${encodeURIComponent("Top 5 accounts by MRR")}`);
    vi.setSystemTime(Date.now() + KEY_CACHE_MS);
    expect(await ask()).toMatchObject({ status: 200, trips: 3, objectCalls: 0 });
    expect(await ask()).toMatchObject({ status: 200, trips: 2, objectCalls: 0 });
    vi.setSystemTime(Date.now() + KEY_CACHE_MS);
    expect(await cost("GET", "/ask")).toMatchObject({ status: 200, trips: 2, objectCalls: 0 });
    expect(await cost("GET", "/ask")).toMatchObject({ status: 200, trips: 1, objectCalls: 0 });
    expect(await ask()).toMatchObject({ status: 200, trips: 2, objectCalls: 0 });
    vi.setSystemTime(Date.now() + KEY_CACHE_MS);
    expect(await cost("GET", "/inbox")).toMatchObject({ status: 200, trips: 2, objectCalls: 0 });
    expect(await ask()).toMatchObject({ status: 200, trips: 2, objectCalls: 0 });
  });

  it("have their longest lists in less than 100 KB", async () => {
    const question = encodeURIComponent("Top 100 accounts by MRR");
    const { html } = await page.get(`${at}/ask?q=${question}`);
    expect(html.match(/<tr>/g)?.length).toBe(202);
    expect(new TextEncoder().encode(html).byteLength).toBeLessThan(MAX_PAGE_BYTES);
  });
});

describe.each(['"', "漢"])("names of nothing but %s", (character) => {
  beforeAll(async () => {
    const { number } = await meter.workspace.ref();
    await env.DB.prepare("UPDATE accounts SET external_id = ?2 || printf('%06d', number) WHERE workspace = ?1")
      .bind(number, character.repeat(250))
      .run();
  });

  it.each(["/inbox", `/ask?q=${encodeURIComponent("Top 100 accounts by MRR")}`, "/ask"])(
    "fill no more than 100 KB of %s",
    async (path) => {
      const { status, html } = await page.get(at + path);
      expect(status).toBe(200);
      expect(new TextEncoder().encode(html).byteLength).toBeLessThan(MAX_PAGE_BYTES);
    },
  );
});
