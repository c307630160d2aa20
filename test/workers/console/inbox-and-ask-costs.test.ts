/** The costs of the inbox and of questions in the console: round trips, scans and bytes. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";

import { insertNamesSql, nameRows } from "../../../src/db/ask/name-rows.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { breakdown, type Meter, newMeter } from "../costs/meter.ts";
import { DAY, outcomesOf, setRuns } from "../support/outcomes.ts";
import { scansIn, insertAccounts } from "./support/many-accounts.ts";
import { bytesOf, MAX_PAGE_BYTES } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

const ACCOUNTS = 10_000;

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
    insertAccounts(number, ACCOUNTS, "a company of the workspace %d"),
    env.DB.prepare(
      `INSERT INTO inbox_items (number, id, workspace, account, kind, subject, occurrence, opened_day, confirmed_day, severity,
        confidence, rank, evidence)
      SELECT number, replace(id, 'acc', 'itm'), ?1, number, 'usage_drop', '', 1, ?2, ?2, 'high', 'high', number % 100 / 10.0, ?3
      FROM accounts WHERE workspace = ?1`,
    ).bind(number, DAY, EVIDENCE),
  ]);
  ({ id: item } = await (await outcomesOf(meter.workspace)).item({ resolvedDay: DAY }));
});

const cost = (method: string, path: string, body?: string, cookie = page.cookie) =>
  meter.request(method, at + path, body, {
    Cookie: cookie,
    Origin: "https://ingest.test",
    "Content-Type": "application/x-www-form-urlencoded",
  });

/** Sends a form of the page of questions, or opens the page without one. */
const costOf = (form: string | undefined, cookie: string) =>
  cost(form === undefined ? "GET" : "POST", "/ask", form, cookie);

/** The form of a question. */
const asking = (q: string): string => new URLSearchParams({ q }).toString();

const NAMED = "What is the MRR of “a company of the workspace 7”?";

/** Stores the names of all accounts, as the fold does. */
async function nameAccounts({ number }: { number: number }): Promise<void> {
  const { results } = await env.DB.prepare("SELECT number, external_id AS text FROM accounts WHERE workspace = ?1")
    .bind(number)
    .all<{ number: number; text: string }>();
  for (let from = 0; from < results.length; from += 1_000) {
    const rows = results
      .slice(from, from + 1_000)
      .flatMap(({ number: subject, text }) => nameRows({ kind: "account", subject, source: "external_id", text }));
    await env.DB.prepare(insertNamesSql("TRUE")).bind(number, JSON.stringify(rows)).run();
  }
}

const TOP_100 = { q: "Top 100 accounts by MRR" };

const INBOXES = [
  "/inbox",
  "/inbox?status=snoozed",
  "/inbox?status=dismissed",
  "/inbox?status=resolved",
  "/inbox?kind=usage_drop",
];

describe(`the inbox of ${ACCOUNTS} accounts`, () => {
  it("costs two round trips, including the session's, and so does an action", async () => {
    for (const path of [...INBOXES, `/inbox?show=${item}`])
      expect(await cost("GET", path), path).toMatchObject({ status: 200, trips: 2 });
    for (const mark of ["dismiss handled", "undo dismiss", "snooze monday", "undo snooze", "contacted", "note"]) {
      const marked = await cost("POST", "/inbox/mark", `ids=${item}&mark=${mark}&note=called`);
      expect(marked, mark).toMatchObject({ status: 303, trips: 2, objectCalls: 0 });
    }
  });

  it("scans no table", async () => {
    for (const path of INBOXES) expect(await scansIn(await cost("GET", path))).toEqual([]);
  });

  it.each(["", "?kind=usage_drop"])("shows forty items in less than 100 KB: %s", async (query) => {
    const { html } = await page.get(`${at}/inbox${query}`);
    expect(html.match(/class="item-link"/g)).toHaveLength(40);
    expect(bytesOf(html)).toBeLessThan(MAX_PAGE_BYTES);
  });
});

it("the home page and the inbox read resolved items only as far as they show them", async () => {
  await meter.post("/api/v1/cdp", [{ type: "track", event: "report.exported", userId: "u1" }]);
  const before = await cost("GET", "/home");
  const { number } = await meter.workspace.ref();
  await env.DB.prepare(
    `INSERT INTO inbox_items (number, id, workspace, account, kind, subject, occurrence, opened_day, confirmed_day, resolved_day,
      resolution, severity, confidence, rank, evidence)
    SELECT number + ?3, id || 'r', workspace, account, kind, 'r', 1, ?2, ?2, ?2, 'recovered', severity, confidence, rank, '[]'
    FROM inbox_items WHERE workspace = ?1 AND resolved_day IS NULL`,
  )
    .bind(number, Math.floor(Date.now() / 86_400_000) - 30, 2 * ACCOUNTS)
    .run();
  const after = await cost("GET", "/home");
  expect(after).toMatchObject({ status: 200, trips: 2 });
  expect(after.read - before.read, breakdown(after)).toBeLessThan(100);
  const resolved = await cost("GET", "/inbox?status=resolved");
  expect(
    resolved.statements.find(({ sql }) => sql.includes('resolved_day" desc'))?.read,
    breakdown(resolved),
  ).toBeLessThan(500);
  const owned = await cost("GET", "/inbox?status=resolved&owner=Ann");
  expect(owned.statements.find(({ sql }) => sql.includes('resolved_day" desc'))?.read).toBeLessThan(ACCOUNTS + 100);
  expect(await scansIn(owned)).toEqual([]);
});

describe(`questions about ${ACCOUNTS} accounts`, () => {
  beforeAll(async () => {
    await nameAccounts(await meter.workspace.ref());
    await recompute(env, { now: Date.now(), trigger: "admin", clock: Date.now, budgetMs: 60_000 });
  });

  const CHOSEN = new URLSearchParams({
    query: JSON.stringify({
      find: "accounts",
      where: [{ dimension: "account", is: "a company of the workspace 7" }],
      show: "summary",
    }),
  }).toString();

  const ASKED: [form: string | undefined, cost: { status: number; trips: number }][] = [
    [asking("Top 5 accounts by MRR"), { status: 200, trips: 3 }],
    [asking(NAMED), { status: 200, trips: 3 }],
    [asking("Why is the sky blue?"), { status: 200, trips: 2 }],
    [asking(""), { status: 400, trips: 1 }],
    [CHOSEN, { status: 200, trips: 3 }],
    // The examples.
    [undefined, { status: 200, trips: 2 }],
  ];

  it("§15.8 cost at most three round trips, including the session's", async () => {
    const admins = await signedIn();
    for (const { cookie } of [page, admins]) {
      for (const [form, expected] of ASKED)
        expect(await costOf(form, cookie), form).toMatchObject({ ...expected, objectCalls: 0 });
    }
  });

  it("scan no table", async () => {
    const admins = await signedIn();
    for (const { cookie } of [page, admins]) {
      for (const [form] of ASKED) expect(await scansIn(await costOf(form, cookie)), form).toEqual([]);
    }
  });

  it("cost one round trip without the scope, and nothing on other paths", async () => {
    const { key } = await meter.workspace.newKey(["read"]);
    const { cookie } = await signedIn(key);
    expect(await costOf(asking(NAMED), cookie)).toMatchObject({ status: 403, trips: 1 });
    const { status, statements } = await cost("POST", "/ask/nothing", asking(NAMED));
    expect([status, statements.length]).toEqual([404, 1]);
  });

  it("return their longest lists in less than 100 KB", async () => {
    const { html } = await page.post(`${at}/ask`, TOP_100);
    expect(html.match(/<tr>/g)?.length).toBe(104);
    expect(bytesOf(html)).toBeLessThan(MAX_PAGE_BYTES);
  });
});

describe.each(['"', "漢"])("names that consist of %s", (character) => {
  beforeAll(async () => {
    const { number } = await meter.workspace.ref();
    await env.DB.prepare("UPDATE accounts SET external_id = ?2 || printf('%06d', number) WHERE workspace = ?1")
      .bind(number, character.repeat(250))
      .run();
  });

  it.each([
    ["/inbox", undefined],
    ["/ask", undefined],
    ["/ask", TOP_100],
  ])("fill less than 100 KB of %s %o", async (path, form) => {
    const { status, html } = await (form === undefined ? page.get(at + path) : page.post(at + path, form));
    expect(status).toBe(200);
    expect(bytesOf(html)).toBeLessThan(MAX_PAGE_BYTES);
  });
});
