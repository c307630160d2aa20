/** The costs of the page of one account: round trips, scans and bytes. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";

import { type Meter, newMeter } from "../costs/meter.ts";
import { outcomesOf, setRuns } from "../support/outcomes.ts";
import { lastNumber, scansIn, SERIES } from "./support/many-accounts.ts";
import { bytesOf, MAX_PAGE_BYTES } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS);

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
});

const cost = (query: string) => meter.request("GET", accounts + query, undefined, { Cookie: browser.cookie });

const pageBytes = async (path: string) => bytesOf((await browser.get(path)).html);

it("a busy account costs two round trips, scans no table, and is a page below 100 KB", async () => {
  const outcomes = await outcomesOf(meter.workspace);
  const { number, id } = await outcomes.account("busy");
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO health_days (account, day, state, score, coverage, losses)
      SELECT ?1, ?3 - value, iif(value % 2, 'watch', 'healthy'), value % 101 + 0.25, 1, '[]' FROM ${SERIES}`,
    ).bind(number, 400, TODAY),
    env.DB.prepare(
      `INSERT INTO users (number, id, workspace, external_id, account, created_at)
      SELECT ${lastNumber("users")} + value, printf('usr_%024d', value), ?1, printf('a user with a name of some length %d', value), ?3, 0 FROM ${SERIES}`,
    ).bind(workspace, 300, number),
    env.DB.prepare(
      `INSERT INTO event_names (number, workspace, name) SELECT ${lastNumber("event_names")} + value, ?1, printf('a.long.event.name.%d', value) FROM ${SERIES}`,
    ).bind(workspace, 100),
    env.DB.prepare(
      `INSERT INTO rollups SELECT ?1, ?2 - 1, u.number, e.number, 1, 1 FROM users u, event_names e
      WHERE u.workspace = ?3 AND e.workspace = ?3`,
    ).bind(number, TODAY, workspace),
    env.DB.prepare(
      `INSERT INTO inbox_items (number, id, workspace, account, kind, subject, occurrence, opened_day, confirmed_day, severity,
        confidence, rank, evidence)
      SELECT ${lastNumber("inbox_items")} + value, printf('itm_%024d', value), ?1, ?3, 'key_user_quiet', value, 1, ?4, ?4, 'high', 'high', 1, '[]' FROM ${SERIES}`,
    ).bind(workspace, 300, number, TODAY - 1),
    env.DB.prepare(
      `INSERT INTO traits SELECT 'account', ?1, printf('trait %d', value), json_quote(hex(zeroblob(1000))), 1, 1 FROM ${SERIES}`,
    ).bind(number, 300),
  ]);
  const read = await cost(`/${id}`);
  expect(read).toMatchObject({ status: 200, trips: 2, objectCalls: 0, written: 0 });
  expect(await scansIn(read)).toEqual([]);
  expect(await pageBytes(`${accounts}/${id}`)).toBeLessThan(MAX_PAGE_BYTES);
});

it.each(['"', "漢"])(
  "an account with the longest names and traits, of %s, is a page below 100 KB",
  async (character) => {
    const { number, id } = await (await outcomesOf(meter.workspace)).account(`loud ${character}`);
    const [longest, long] = [character.repeat(5_000), character.repeat(250)];
    await env.DB.batch([
      env.DB.prepare("UPDATE accounts SET external_id = ?2 WHERE number = ?1").bind(number, long),
      env.DB.prepare(
        `INSERT OR REPLACE INTO account_progress (workspace, account, first_at, last_event_at, score_from, timeline) SELECT ?1, ?3, 0, 0, 0,
        json_group_array(json_array(?4 + value, json_object('plan', ?5 || value, 'stage', ?5 || value))) FROM ${SERIES}`,
      ).bind(workspace, 60, number, TODAY, longest),
      env.DB.prepare(`INSERT INTO traits SELECT 'account', ?1, ?3 || value, json_quote(?3), 1, 1 FROM ${SERIES}`).bind(
        number,
        60,
        longest,
      ),
      env.DB.prepare(
        `INSERT INTO users (number, id, workspace, external_id, account, created_at)
      SELECT ${lastNumber("users")} + value, printf('usr_%d_%d', ?3, value), ?1, ?4 || value, ?3, 0 FROM ${SERIES}`,
      ).bind(workspace, 60, number, long),
      env.DB.prepare(
        `INSERT INTO event_names (number, workspace, name) SELECT ${lastNumber("event_names")} + value, ?1, ?3 || value FROM ${SERIES}`,
      ).bind(workspace, 40, long),
      env.DB.prepare(
        `INSERT INTO rollups SELECT ?1, ?2 - 1, u.number, e.number, 1, 1 FROM users u, event_names e
      WHERE u.account = ?1 AND e.workspace = ?3 AND e.name LIKE ?4 || '%'`,
      ).bind(number, TODAY, workspace, character.repeat(2)),
      env.DB.prepare(
        `INSERT INTO inbox_items (number, id, workspace, account, kind, subject, occurrence, opened_day, confirmed_day, severity,
        confidence, rank, evidence)
      SELECT ${lastNumber("inbox_items")} + value, printf('itm_%d_%d', ?3, value), ?1, ?3, 'key_user_quiet', u.number, value, ?4, ?4, 'high', 'high', 1, '[]'
      FROM ${SERIES}, (SELECT number FROM users WHERE account = ?3 LIMIT 1) u`,
      ).bind(workspace, 60, number, TODAY - 1),
    ]);
    const { html } = await browser.get(`${accounts}/${id}`);
    expect(html.match(/Plan: /g)?.length).toBeGreaterThan(5);
    expect(bytesOf(html)).toBeLessThan(MAX_PAGE_BYTES);
  },
);
