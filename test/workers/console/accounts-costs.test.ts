/** The costs of the lists of accounts: round trips, scans, rows read and bytes. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";

import { ACTIVE_DAYS } from "../../../src/db/accounts/account-conditions.ts";
import { SCORE_DAYS } from "../../../src/db/accounts/console-accounts.ts";
import { MAX_READ_UNITS } from "../../../src/db/ask/query/shared-statement.ts";
import { breakdown, type Meter, newMeter } from "../costs/meter.ts";
import { healthOf, setRuns } from "../support/outcomes.ts";
import { ORIGIN } from "../support/send.ts";
import { scansIn, insertAccounts, lastNumber, SERIES } from "./support/many-accounts.ts";
import { bytesOf, MAX_PAGE_BYTES, ownerIdOn, textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

const ACCOUNTS = 50_000;
const PAGE_ROWS = 50;
const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS);

const LISTS = [
  "",
  "?sort=trend",
  "?sort=mrr",
  "?sort=-mrr",
  "?sort=users",
  "?sort=lastSeen",
  "?sort=renewal",
  "?sort=name",
  "?state=watch",
];
const SEARCHES = ["a-company", "Company"];

let meter: Meter;
let browser: Browser;
let accounts: string;
let workspace: number;

beforeAll(async () => {
  meter = await newMeter();
  browser = await signedIn(meter.workspace.key);
  accounts = `/console/w/${meter.workspace.id}/accounts`;
  ({ number: workspace } = await meter.workspace.ref());
  await setRuns({ asOf: Date.now() });
  await env.DB.batch([
    insertAccounts(workspace, ACCOUNTS, "a-company %05d"),
    env.DB.prepare(
      `INSERT INTO names SELECT workspace, replace(external_id, '-', ' '), 'account', number, 'external_id', external_id
      FROM accounts WHERE workspace = ?`,
    ).bind(workspace),
    env.DB.prepare(
      `INSERT INTO account_progress (workspace, account, first_at, last_event_at, score_from)
      SELECT workspace, number, 0, ?2 - number, 0 FROM accounts WHERE workspace = ?1`,
    ).bind(workspace, Date.now()),
    env.DB.prepare(
      `INSERT INTO health SELECT workspace, number, 'watch', 50 + number % 7, ?2 FROM accounts WHERE workspace = ?1`,
    ).bind(workspace, JSON.stringify(healthOf({ state: "watch", confidence: "low" }))),
  ]);
});

const cost = (query: string) => meter.request("GET", accounts + query, undefined, { Cookie: browser.cookie });

const pageBytes = async (path: string) => bytesOf((await browser.get(path)).html);

async function nextOf(query: string): Promise<string> {
  const [, href = ""] = /href="([^"]*)">Next page/.exec((await browser.get(accounts + query)).html) ?? [];
  return href.replaceAll("&amp;", "&").slice(accounts.length);
}

it("a page costs two round trips, including the session's, and scans no table", async () => {
  for (const first of LISTS) {
    for (const query of [first, await nextOf(first)]) {
      const listed = await cost(query);
      expect(listed, query).toMatchObject({ status: 200, trips: 2, objectCalls: 0, written: 0 });
      expect(await scansIn(listed)).toEqual([]);
    }
  }
});

it("a page of a search costs the same", async () => {
  const headers = { Cookie: browser.cookie, Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded" };
  for (const q of SEARCHES) {
    const post = async (cursor = "") =>
      meter.request("POST", accounts, new URLSearchParams({ q, ...(cursor !== "" && { cursor }) }).toString(), headers);
    const [, cursor = ""] = /name="cursor" value="([^"]*)"/.exec((await browser.post(accounts, { q })).html) ?? [];
    expect(cursor).not.toBe("");
    for (const listed of [await post(), await post(cursor)]) {
      expect(listed, q).toMatchObject({ status: 200, trips: 2, objectCalls: 0, written: 0 });
      expect(await scansIn(listed)).toEqual([]);
    }
  }
  // The palette sends one with each pause in typing. A thousand names begin so, and are read and sorted.
  const typed = await meter.request("POST", `${accounts}/find`, "q=a-", headers);
  expect(typed).toMatchObject({ status: 200, trips: 2, objectCalls: 0, written: 0 });
  expect(await scansIn(typed)).toEqual([]);
  expect(typed.read, breakdown(typed)).toBeLessThan(5_000);
});

it("a page reads only the days that it shows, and only those of its own accounts", async () => {
  const { read } = await cost("");
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO health_days (account, day, state, score, coverage, losses)
      SELECT number, ?3 - value, 'watch', 50, 1, '[]' FROM accounts, ${SERIES} WHERE workspace = ?1 AND number % 7 = 0
      AND number < (SELECT min(number) + 700 FROM accounts WHERE workspace = ?1)`,
    ).bind(workspace, 400, TODAY),
    env.DB.prepare(
      `INSERT INTO account_days SELECT account, day, 1, 1, '[1]', '{}' FROM health_days
      WHERE account IN (SELECT number FROM accounts WHERE workspace = ?)`,
    ).bind(workspace),
  ]);
  const after = await cost("");
  // For active users: each day's row and the user in it.
  const mostOfDays = (PAGE_ROWS + 1) * (SCORE_DAYS + 1 + 2 * (ACTIVE_DAYS + 1));
  expect(after.read - read, breakdown(after)).toBeGreaterThan(PAGE_ROWS);
  expect(after.read - read, breakdown(after)).toBeLessThan(mostOfDays);
  // For each account of the workspace: itself, its activity, its health for the order and for the counts, its place, and twice
  // what the page and the sums read of it.
  expect(after.read, breakdown(after)).toBeLessThan(7 * ACCOUNTS + mostOfDays);
});

const USER_DAYS = 2;
/** The days of all accounts, with two users in each, and where they end. */
const USER_ROWS = (3 * USER_DAYS + 1) * ACCOUNTS;

/** By filter or order, the most rows that a page reads beside its 6 for each account. */
const QUERIES: [query: string, further: number][] = [
  ["", 0],
  ["?state=watch", 0],
  ["?stage=trial", 0],
  ["?plan=pro", 0],
  ["?owner=:Ann", ACCOUNTS],
  ["?owner=%28nobody%29", ACCOUNTS],
  ["?renewal=90", 0],
  ["?trait.region=EMEA", ACCOUNTS],
  ["?trait.region=EMEA&trait.tier=1&owner=:Ann", 3 * ACCOUNTS],
  ["?seats=low", USER_ROWS],
  ["?sort=users", USER_ROWS],
  ["?sort=users&seats=low", 2 * USER_ROWS],
  ["?sort=users&trait.region=EMEA&trait.tier=1&owner=:Ann", USER_ROWS + 3 * ACCOUNTS],
  ["?sort=mrr", 0],
  ["?sort=trend", 0],
  ["?sort=lastSeen", 0],
  ["?sort=renewal", 0],
  ["?sort=name", 2 * ACCOUNTS],
];
/** Owners, values of filters and views, and the days of the accounts on the page. */
const FURTHER_ROWS = 25_000;
const EXPORT_ROWS = 10_000;

const fill = (sql: string, ...values: unknown[]) => env.DB.prepare(sql).bind(workspace, ...values);

it("each filter and each order stays within what a query may read", async () => {
  await env.DB.batch([
    fill("DELETE FROM account_days WHERE account IN (SELECT number FROM accounts WHERE workspace = ?)"),
    fill(
      `INSERT INTO account_days SELECT number, ?3 - value, 1, 2, '[1,2]', '{}' FROM accounts, ${SERIES} WHERE workspace = ?1`,
      USER_DAYS,
      TODAY,
    ),
    fill(
      `INSERT INTO workspace_days (workspace, day, events, accounts, user_days)
      SELECT ?1, ?3 - value, 1, ?4, 2 * ?4 FROM ${SERIES}`,
      USER_DAYS,
      TODAY,
      ACCOUNTS,
    ),
    fill("INSERT INTO account_owners SELECT number, iif(number % 2, 'Ann', 'Bob') FROM accounts WHERE workspace = ?"),
    fill(`INSERT INTO traits SELECT 'account', number, 'region', '"EMEA"', 1, 1 FROM accounts WHERE workspace = ?`),
    fill("UPDATE accounts SET attributes = json_set(attributes, '$.seats', json('[10,0,0]')) WHERE workspace = ?"),
  ]);
  const ann = ownerIdOn((await browser.get(accounts)).html, "Ann");
  for (const [asked, further] of QUERIES) {
    const query = asked.replace(":Ann", ann);
    const listed = await cost(query);
    expect(listed, query).toMatchObject({ status: 200, trips: 2 });
    expect(await scansIn(listed), query).toEqual([]);
    expect(listed.read, `${query}\n${breakdown(listed)}`).toBeLessThan(6 * ACCOUNTS + further + FURTHER_ROWS);
    expect(listed.read, query).toBeLessThan(MAX_READ_UNITS);
  }
});

it("a CSV reads a few accounts at a time, and each account once", async () => {
  const csv = await cost("/export.csv?seats=low");
  expect(Math.max(...csv.statements.map(({ read }) => read)), breakdown(csv)).toBeLessThan(EXPORT_ROWS);
  // Each account with its progress, health, owner, traits, and its days for the filter and for the row.
  expect(csv.read).toBeLessThan(5 * ACCOUNTS + 2 * USER_ROWS + FURTHER_ROWS);
  expect(csv.written).toBe(0);
});

const list = (length: number) => SERIES.replace("?2", `${length}`);

it("pages of accounts with 1,000 daily users, and a search that finds most users, stay within it too", async () => {
  const few = "(SELECT min(number) + 60 FROM accounts WHERE workspace = ?1)";
  await env.DB.batch([
    fill("DELETE FROM account_days WHERE account IN (SELECT number FROM accounts WHERE workspace = ?)"),
    fill(
      `INSERT INTO account_days SELECT number, ?3 - value, 1, 1000, (SELECT json_group_array(value) FROM ${list(1_000)}),
        (SELECT json_group_object(value, json('[1,[1]]')) FROM ${list(100)})
      FROM ${SERIES}, accounts WHERE workspace = ?1 AND number < ${few}`,
      90,
      TODAY,
    ),
    fill("DELETE FROM workspace_days WHERE workspace = ?"),
    fill(
      "INSERT INTO workspace_days (workspace, day, events, accounts, user_days) SELECT ?1, ?3 - value, 1, 60, 60000 FROM " +
        SERIES,
      ACTIVE_DAYS,
      TODAY,
    ),
    fill(`UPDATE account_progress SET first_at = ?2 WHERE workspace = ?1 AND account < ${few}`, TODAY * DAY_MS),
    fill(
      `INSERT INTO users (number, id, workspace, external_id, account, created_at)
      SELECT ${lastNumber("users")} + value, printf('usr_z%d', value), ?1, printf('z%d', value), 0, 0 FROM ${SERIES}`,
      120_000,
    ),
    fill(
      "INSERT INTO names SELECT workspace, external_id, 'user', number, 'external_id', external_id FROM users WHERE workspace = ?",
    ),
  ]);
  for (const query of ["", "?sort=users", "?sort=-mrr", "/new"]) {
    const listed = await cost(query);
    expect(listed.read, `${query}\n${breakdown(listed)}`).toBeLessThan(MAX_READ_UNITS);
  }
  expect((await browser.get(accounts)).html).toContain("1,000+");
  const headers = { Cookie: browser.cookie, Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded" };
  const searched = await meter.request("POST", accounts, "q=z&sort=name&owner=Ann", headers);
  expect(searched.read, breakdown(searched)).toBeLessThan(MAX_READ_UNITS);
  expect(textOf((await browser.post(accounts, { q: "z" })).html)).toContain("Enter more of a name");
  expect(textOf((await browser.post(accounts, { q: "z1" })).html)).not.toContain("Enter more of a name");
  await env.DB.batch([
    fill("DELETE FROM names WHERE workspace = ? AND kind = 'user'"),
    fill("DELETE FROM users WHERE workspace = ?"),
  ]);
});

it("the page of new accounts reads the first message of each account, and the days of its own accounts", async () => {
  await env.DB.prepare("UPDATE account_progress SET first_at = ?2 - account % 9000 * 100000 WHERE workspace = ?1")
    .bind(workspace, Date.now())
    .run();
  for (const query of ["/new", "/new?show=stuck"]) {
    const listed = await cost(query);
    expect(listed, query).toMatchObject({ status: 200, trips: 2, objectCalls: 0, written: 0 });
    expect(await scansIn(listed), query).toEqual([]);
    expect(listed.read, breakdown(listed)).toBeLessThan(3 * ACCOUNTS + FURTHER_ROWS);
    expect(await pageBytes(accounts + query)).toBeLessThan(MAX_PAGE_BYTES);
  }
});

it.each(['"', "漢", "<"])("a page is below 100 KB with the longest ids and names, of %s", async (character) => {
  expect((await browser.get(accounts)).html.match(/<th scope="row">/g)).toHaveLength(PAGE_ROWS);
  await env.DB.prepare("UPDATE accounts SET external_id = ?2 || printf('%06d', number) WHERE workspace = ?1")
    .bind(workspace, character.repeat(250))
    .run();
  await attachNames(character.repeat(256));
  await addLongest(character);
  expect(await pageBytes(accounts)).toBeLessThan(MAX_PAGE_BYTES);
});

/** Adds the longest owners, saved views, and values of filters. */
async function addLongest(character: string): Promise<void> {
  const query = `trait.region=${"%E6%BC%A2".repeat(30)}`;
  await env.DB.batch([
    env.DB.prepare("DELETE FROM saved_views WHERE workspace = ?").bind(workspace),
    env.DB.prepare(
      `INSERT OR REPLACE INTO account_owners SELECT number, ?2 || number % 100 FROM accounts WHERE workspace = ?1`,
    ).bind(workspace, character.repeat(125)),
    env.DB.prepare(
      `INSERT OR REPLACE INTO saved_views SELECT ?1, value || ?3, ?4, 0 FROM ${SERIES.replace("?2", "20")} WHERE ?2 > 0`,
    ).bind(workspace, 1, character.repeat(58), query),
    env.DB.prepare(
      `INSERT OR REPLACE INTO dimension_values
      SELECT ?1, 'account.' || ?3 || a.value, json_quote(?4 || b.value) FROM ${SERIES} a, ${SERIES} b`,
    ).bind(workspace, 20, character.repeat(60), character.repeat(98)),
  ]);
}

/** Gives all accounts a company name. */
async function attachNames(company: string): Promise<void> {
  await env.DB.batch([
    env.DB.prepare("UPDATE workspace_states SET agreement = 1 WHERE number = ?1").bind(workspace),
    env.DB.prepare("DELETE FROM names WHERE workspace = ? AND source = 'company'").bind(workspace),
    env.DB.prepare(
      `INSERT INTO names SELECT workspace, 'a name', 'account', number, 'company', ?2 FROM accounts WHERE workspace = ?1`,
    ).bind(workspace, company),
  ]);
}
