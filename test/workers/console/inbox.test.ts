/** The inbox in the console: what it shows of items, and what people do with them there. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { dismissItem } from "../../../src/db/inbox/marks.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, type SeededAccount, setRuns } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { type Browser, type PageAnswer, signedIn } from "./support/signed-in.ts";
import { textOf, titlesOn } from "./support/page-text.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let acme: SeededAccount;
let item: { number: number; id: string };
let page: Browser;
let at: string;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  acme = await outcomes.account("acme", { attributes: { mrr: 1_490, currency: "EUR" } });
  item = await outcomes.item({
    account: acme.number,
    kind: "gone_silent",
    rank: 3.9,
    openedDay: DAY - 3,
    evidence: [
      { code: "gap_business_days", value: 9, expected: 6 },
      { code: "last_day", value: DAY - 13 },
    ],
  });
  await setRuns({ asOf: NOW });
  page = await signedIn(workspace.key);
  at = `/console/w/${workspace.id}/inbox`;
});
afterEach(() => {
  vi.useRealTimers();
});

const open = async (query = ""): Promise<PageAnswer> => page.get(`${at}${query}`);
const marks = async () =>
  (await env.DB.prepare("SELECT dismissed_at, snoozed_until FROM inbox_marks WHERE item = ?").bind(item.number).all())
    .results;

const emptyTitle = async (query = "") => /class="empty-title">([^<]*)/.exec((await open(query)).html)?.[1];

/** Where a form led back to. */
const redirected = ({ status, location }: PageAnswer): string => {
  expect(status).toBe(303);
  return location ?? "";
};

describe("an item", () => {
  it("says what happened, why, on which figures of which days, what is at stake and what to do", async () => {
    const { status, html } = await open();
    expect(status).toBe(200);
    const text = textOf(html);
    for (const said of [
      "High severity Gone silent",
      "acme has gone silent",
      "No activity for 9 business days (6 or more count as silence). Last active on 25 Dec 2029.",
      "MRR at stake 1,490 EUR",
      "Since 4 Jan 2030",
      "Rank 3.9",
      "Evidence, as of 7 Jan 2030 Figure Seen Against Business days without activity 9 6 Last active on 25 Dec 2029 –",
      "What to do Get in touch",
      "Closes by itself: The account is active on 2 days within 5 business days.",
    ]) {
      expect(text).toContain(said);
    }
    expect(html).toContain(`href="/console/w/${workspace.id}/accounts/${acme.id}"`);
  });

  it("of something to win has no MRR at stake", async () => {
    await outcomes.item({ account: acme.number, kind: "usage_growth" });
    expect(textOf((await open("?kind=usage_growth")).html)).toContain("MRR 1,490 EUR");
  });

  it("about the workspace as a whole names no account", async () => {
    await outcomes.item({ kind: "tracking_stopped" });
    expect(textOf((await open("?kind=tracking_stopped")).html)).toContain(
      "The workspace has stopped receiving events Since",
    );
  });

  it("shows names as text, whatever stands in them", async () => {
    const hostile = await outcomes.account(`<script>alert(1)</script>"'&`);
    await outcomes.item({ account: hostile.number, kind: "contraction", subject: "mrr" });
    const { html } = await open();
    expect(html).not.toContain("<script>alert");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp; reduced its MRR");
  });

  it("that is resolved tells why and cannot be put aside", async () => {
    await outcomes.resolve(item.number);
    const { html } = await open("?status=resolved");
    expect(textOf(html)).toContain("Resolved on 7 Jan 2030 What it told of is over.");
    expect(html).not.toContain(`inbox/${item.id}/`);
  });
});

describe("the list", () => {
  it("has the highest rank first, and counts what is in each status and of each kind", async () => {
    await outcomes.item({ account: acme.number, kind: "usage_drop", rank: 8 });
    const { html } = await open();
    expect(titlesOn(html)).toEqual(["Usage at acme fell", "acme has gone silent"]);
    const text = textOf(html);
    expect(text).toContain("Open 2 Snoozed 0 Dismissed 0 Resolved");
    expect(text).toContain("Gone silent (1)");
    expect(text).toContain("Cut back (0)");
  });

  it("shows one kind alone, also where a form leaves the field empty", async () => {
    await outcomes.item({ account: acme.number, kind: "usage_drop" });
    expect(titlesOn((await open("?status=open&kind=gone_silent")).html)).toEqual(["acme has gone silent"]);
    expect(titlesOn((await open("?status=open&kind=")).html)).toHaveLength(2);
  });

  it("goes on to the next page, and keeps the filter", async () => {
    for (let rank = 1; rank <= 25; rank += 1) {
      const { number } = await outcomes.account(`a${rank}`);
      await outcomes.item({ account: number, kind: "usage_drop", rank });
    }
    const first = await open("?kind=usage_drop");
    expect(titlesOn(first.html)).toHaveLength(20);
    const next = /href="([^"]*cursor[^"]*)"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await page.get(next);
    expect(titlesOn(second.html)).toEqual([5, 4, 3, 2, 1].map((rank) => `Usage at a${rank} fell`));
    expect(second.html).toContain(`href="${at}?kind=usage_drop"`);
  });

  it.each(["?status=lost", "?kind=nothing", "?cursor=nonsense"])(
    "says that it cannot use %s, and shows the first page",
    async (query) => {
      const { status, html } = await open(query);
      expect(status).toBe(400);
      expect(html).toContain('role="alert"');
      expect(titlesOn(html)).toEqual(["acme has gone silent"]);
    },
  );
});

describe("an empty inbox", () => {
  it("says that nobody was judged yet, whatever recomputes there were", async () => {
    const fresh = await newWorkspace();
    page = await signedIn(fresh.key);
    at = `/console/w/${fresh.id}/inbox`;
    for (const runs of [[], [{ asOf: NOW }]]) {
      await setRuns(...runs);
      expect(await emptyTitle()).toBe("Nobody has been judged yet");
    }
  });

  it("says that nobody needs a call once somebody looked", async () => {
    await outcomes.resolve(item.number);
    expect(await emptyTitle()).toBe("Nobody needs a call right now");
  });

  it("says which filter has nothing", async () => {
    expect(await emptyTitle("?kind=contraction")).toBe("Nothing open of the kind “Cut back”");
    expect(await emptyTitle("?status=snoozed")).toBe("Nothing is snoozed");
    expect(await emptyTitle("?status=dismissed")).toBe("Nothing was dismissed");
    expect(await emptyTitle("?status=resolved")).toBe("Nothing was resolved yet");
  });
});

describe("putting aside", () => {
  it("§14 dismisses, says so, and takes it back: all with the filter kept", async () => {
    const back = redirected(await page.post(`${at}/${item.id}/dismiss?kind=gone_silent`));
    expect(back).toBe(`${at}?kind=gone_silent&done=dismissed&item=${item.id}`);
    expect(await marks()).toEqual([{ dismissed_at: NOW, snoozed_until: null }]);
    const { html } = await page.get(back);
    expect(titlesOn(html)).toEqual([]);
    expect(textOf(html)).toContain("Dismissed: acme has gone silent.");
    const undo = `${at}/${item.id}/dismiss/undo?kind=gone_silent`;
    expect(html).toContain(`action="${undo}"`);

    const undone = await page.get(redirected(await page.post(undo)));
    expect(await marks()).toEqual([{ dismissed_at: null, snoozed_until: null }]);
    expect(titlesOn(undone.html)).toEqual(["acme has gone silent"]);
    expect(textOf(undone.html)).toContain("Put back: acme has gone silent.");
  });

  it.each([
    ["1", DAY_MS, "9 Jan 2030, 06:00 UTC"],
    ["7", 7 * DAY_MS, "15 Jan 2030, 06:00 UTC"],
    ["30", 30 * DAY_MS, "7 Feb 2030, 06:00 UTC"],
  ])("§14 snoozes for %s days, and takes it back", async (days, length, until) => {
    const back = redirected(await page.post(`${at}/${item.id}/snooze`, { days }));
    expect(await marks()).toEqual([{ dismissed_at: null, snoozed_until: NOW + length }]);
    expect(textOf((await page.get(back)).html)).toContain(`Snoozed until ${until}: acme has gone silent.`);
    expect(textOf((await open("?status=snoozed")).html)).toContain(`Snoozed until ${until}. Put back`);
    redirected(await page.post(`${at}/${item.id}/snooze/undo?status=snoozed`));
    expect(titlesOn((await open()).html)).toEqual(["acme has gone silent"]);
  });

  it.each(["", "2", "365", "-1", "1e9", "tomorrow"])("refuses to snooze for “%s”, and marks nothing", async (days) => {
    const { status, html } = await page.post(`${at}/${item.id}/snooze?kind=gone_silent`, { days });
    expect(status).toBe(400);
    expect(textOf(html)).toContain("“Snooze for” takes 1 day, 1 week or 1 month.");
    expect(titlesOn(html)).toEqual(["acme has gone silent"]);
    expect(await marks()).toEqual([]);
  });

  it("says nothing of what was not done, or of another workspace's item", async () => {
    const other = await outcomesOf(await newWorkspace());
    const foreign = await other.item({ account: (await other.account("globex")).number });
    for (const query of [
      `?done=dismissed&item=${item.id}`,
      `?done=restored&item=${foreign.id}`,
      "?done=dismissed&item=%3Cb%3E",
    ]) {
      const { html } = await open(query);
      expect(html).not.toContain('class="notice');
      expect(html).not.toContain("globex");
    }
  });

  it("does not say that an item was put back which is put aside", async () => {
    for (const [action, query] of [
      ["snooze", "?status=snoozed"],
      ["dismiss", "?status=dismissed"],
    ] as const) {
      redirected(await page.post(`${at}/${item.id}/${action}`, { days: "1" }));
      expect((await open(`${query}&done=restored&item=${item.id}`)).html).not.toContain(
        "Put back: acme has gone silent.",
      );
    }
  });

  it("is 404 for an item of another workspace, and for none", async () => {
    const other = await outcomesOf(await newWorkspace());
    const foreign = await other.item({ account: (await other.account("globex")).number });
    for (const id of [foreign.id, "itm_0"]) {
      expect((await page.post(`${at}/${id}/dismiss`)).status).toBe(404);
      expect((await page.post(`${at}/${id}/snooze`, { days: "1" })).status).toBe(404);
    }
    const { results } = await env.DB.prepare("SELECT * FROM inbox_marks WHERE item = ?").bind(foreign.number).all();
    expect(results).toEqual([]);
  });

  it("§14 is done by the admin token too", async () => {
    const admin = await signedIn();
    redirected(await admin.post(`${at}/${item.id}/dismiss`));
    expect(await marks()).toEqual([{ dismissed_at: NOW, snoozed_until: null }]);
  });

  it("§14 marks nothing of a workspace that is being erased, whoever marks", async () => {
    const ref = await workspace.ref();
    await env.DB.prepare("UPDATE workspaces SET erased_at = ? WHERE number = ?").bind(NOW, ref.number).run();
    for (const keyId of [null, workspace.keyId]) {
      const marker = { workspace: ref, keyId, withIdentity: false };
      expect(await dismissItem(env, marker, item.id, NOW)).toEqual({ outcome: "key_gone" });
    }
    expect(await marks()).toEqual([]);
  });

  it("§14 a key marks nothing in a workspace that is not its own", async () => {
    const { keyId } = await newWorkspace();
    const marker = { workspace: await workspace.ref(), keyId, withIdentity: false };
    expect(await dismissItem(env, marker, item.id, NOW)).toEqual({ outcome: "key_gone" });
    expect(await marks()).toEqual([]);
  });

  it("takes the scope “inbox”: without it there are no buttons, and an action is 403", async () => {
    page = await signedIn((await workspace.newKey(["read"])).key);
    const { html } = await open();
    expect(titlesOn(html)).toEqual(["acme has gone silent"]);
    expect(html).not.toContain(`inbox/${item.id}/`);
    for (const action of ["dismiss", "dismiss/undo", "snooze", "snooze/undo"]) {
      expect((await page.post(`${at}/${item.id}/${action}`, { days: "1" })).status).toBe(403);
    }
    expect(await marks()).toEqual([]);
  });

  it("is over with the key", async () => {
    const key = await workspace.newKey();
    page = await signedIn(key.key);
    await workspace.revoke(key.keyId);
    expect((await page.post(`${at}/${item.id}/dismiss`)).status).toBe(403);
    expect(await marks()).toEqual([]);
  });
});

it("is 404 for a key of another workspace", async () => {
  page = await signedIn((await newWorkspace()).key);
  expect((await open()).status).toBe(404);
  expect((await page.post(`${at}/${item.id}/dismiss`)).status).toBe(404);
});
