/** Asking questions in the console: answers, and who may ask. */
import { beforeEach, describe, expect, it, vi } from "vitest";

import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf, titlesOn } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";
import { group, questionOn, track } from "./support/asked.ts";

let workspace: TestWorkspace;
let page: Browser;
let at: string;

beforeEach(async () => {
  workspace = await newWorkspace({ writeLimit: 1_000 });
  page = await signedIn(workspace.key);
  at = `/console/w/${workspace.id}/ask`;
});

/** Sends messages, and returns the id of the last one's account. */
const send = async (...batch: unknown[]): Promise<string> => {
  const { status, body } = await workspace.post("/api/v1/cdp", batch);
  expect(status).toBe(200);
  return body.account?.id ?? "";
};
const ask = (q: string) => page.post(at, { q });
const askQuery = (query: unknown) => page.post(at, { query: JSON.stringify(query) });

describe("an answer", () => {
  it("is a sentence, with its interpretation, its period and its evidence", async () => {
    const id = await send(track("acme"), track("acme"), track("acme"));
    const { status, html } = await ask("How many events did acme have in the last 7 days?");
    expect(status).toBe(200);
    expect(html).toContain('class="answer-text">The account acme had 3 events in the last 7 days (');
    const text = textOf(html);
    expect(text).toContain("How many events from the account acme were there in the last 7 days?");
    expect(text).toContain("acme, found by id");
    expect(text).toMatch(/Events counted, \d+ \w+( \d+)? to \d+ \w+ \d+ 3 \d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(html).toContain(`account <a href="/console/w/${workspace.id}/accounts/${id}">acme</a>, found by id`);
    expect(text.indexOf("Understood as:")).toBeLessThan(text.indexOf("had 3 events"));
    expect(html.slice(0, html.indexOf("had 3 events"))).not.toContain("<details");
    expect(questionOn(html)).toBe("How many events did acme have in the last 7 days?");
  });

  it("that is a list is a table with links, and its evidence doesn't repeat the rows", async () => {
    const others = Array.from({ length: 11 }, (_, number) => track(`other-${number}`));
    await send(track("acme"), track("acme"), track("a/b c"), ...others);
    const { html } = await ask("Top 20 accounts by events");
    const [, table = "", evidence = ""] = html.slice(html.indexOf('class="answer-text"')).split("<table");
    expect(textOf(table)).toContain("Name Events acme 2");
    expect(table).toContain(`<a href="/console/w/${workspace.id}/accounts/acme">acme</a>`);
    expect(table).toContain(`<a href="/console/w/${workspace.id}/accounts/a%2Fb%20c">a/b c</a>`);
    expect(table).toContain("/accounts/other-9");
    expect(html).not.toContain("answer-lines");
    expect(textOf(evidence)).toContain("Accounts counted 13");
    expect(textOf(evidence)).not.toMatch(/acme|other-9|Events/);
    expect((await page.get(`/console/w/${workspace.id}/accounts/a%2Fb%20c`)).status).toBe(200);
  });

  it("that is a list can be downloaded as CSV, in which no name is a formula", async () => {
    await send(
      group("acme", { mrr: 1200, currency: "EUR" }),
      group('=1+"1"', { mrr: 9, currency: "JPY", plan: "a,b" }),
    );
    const { html } = await ask("List the accounts with their MRR and plan");
    const [, query = ""] =
      /action="[^"]*\/ask\/csv"><input type="hidden" name="query" value="([^"]*)"/.exec(html) ?? [];
    const { headers, html: csv } = await page.post(`${at}/csv`, { query: query.replaceAll("&quot;", '"') });
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="answer.csv"');
    const [first = "", ...lines] = csv.trimEnd().split("\r\n");
    expect(first.split(",").toSorted()).toEqual(["currency", "externalId", "mrr", "plan"]);
    expect(lines.toSorted().map((line) => line.includes(`"'=1+""1"""`) || line.startsWith("acme,"))).toEqual([
      true,
      true,
    ]);
    expect(lines.join()).toContain('"a,b"');
    expect((await page.post(`${at}/csv`, { query: "{" })).status).toBe(400);
  });

  it.each(["day", "week", "month"])("that is a series per %s is a chart with a table", async (unit) => {
    const days = [0, 1, 2, 9, 40].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString());
    await send(...days.map((timestamp) => ({ ...track("acme"), timestamp })));
    const { html } = await askQuery({ find: "events", show: "value", per: unit, window: { last: 60, unit: "day" } });
    expect(html).toMatch(new RegExp(`<figcaption>Events per ${unit}</figcaption>.*<svg[^>]*role="img"`, "s"));
    expect(textOf(html)).toMatch(/Results.*\(so far\)/);
    expect(html).toMatch(new RegExp(`Events over \\d+ ${unit}s: from`));
    expect(html).toContain("/console/assets/charts.");
  });

  it("that ranks two currencies links to the accounts of both", async () => {
    const paying = ["EUR", "USD"].flatMap((currency) =>
      Array.from({ length: 12 }, (_, mrr) => group(`${currency}-${mrr}`, { mrr, currency })),
    );
    await send(...paying);
    const { html } = await ask("Top 12 accounts by MRR");
    const linked = [...html.matchAll(/href="[^"]*\/accounts\/(\w+)-/g)].map(([, currency]) => currency ?? "");
    expect(linked.toSorted()).toEqual(["EUR", "USD"].flatMap((currency) => Array.from({ length: 12 }, () => currency)));
  });

  it("doesn't link accounts whose ids browsers would remove from paths", async () => {
    await send(track(".."), track("acme"));
    const { html } = await ask("Top 5 accounts by events");
    expect(textOf(html)).toContain("Name Events .. 1 acme 1");
    expect(html).not.toContain("/accounts/..");
    expect(html).toContain('/accounts/acme"');
  });

  it("about users links to their accounts", async () => {
    await send(track("acme"), track("globex"));
    const measure = "account";
    const { html } = await askQuery({ find: "users", show: "list", measure });
    expect(html).toContain(`<td><a href="/console/w/${workspace.id}/accounts/acme">acme</a></td>`);
  });

  it("shows amounts with their currency, and what is unknown as a dash", async () => {
    const others = Array.from({ length: 9 }, (_, number) => track(`other-${number}`));
    const [euros, yens] = [group("acme", { mrr: 1200, currency: "EUR" }), group("globex", { mrr: 9, currency: "JPY" })];
    await send(euros, yens, ...others);
    const { html } = await askQuery({ find: "accounts", show: "list", with: ["mrr"] });
    expect(textOf(html)).toContain("Name MRR acme €1,200 globex ¥9 other-0 –");
  });

  it("names the spelling that it corrected", async () => {
    await send(track("globex"));
    const text = textOf((await ask("When was gloebx last seen?")).html);
    expect(text).toContain('I read "gloebx" as globex.');
    expect(text).toContain("Medium confidence");
    expect(text).toContain("found by a similar name");
  });

  it("escapes names that are markup", async () => {
    const name = `<img src=x onerror=alert(1)>"'&`;
    await send(track(name, name), group(name, { plan: name, industry: name, mrr: 5 }));
    const pages = [
      await page.get(at),
      await ask(`How many events did "${name.replace('"', '""')}" have?`),
      await ask("Top 5 accounts by MRR"),
    ];
    for (const { html } of pages) {
      expect(html).toContain("&lt;img src=x");
      expect(html).not.toContain("<img src=x");
    }
  });
});

it("§15.1 logs neither the question nor its answer", async () => {
  await send(track("acme"));
  const log = vi.spyOn(console, "log");
  await ask("When was acme last seen, pretty please?");
  const lines = log.mock.calls.flat().join("\n");
  expect(lines).toContain("console_ask");
  expect(lines).not.toMatch(/acme|pretty|seen/);
  log.mockRestore();
});

it("needs the scope “ask”", async () => {
  page = await signedIn((await workspace.newKey(["read"])).key);
  expect((await page.get(at)).status).toBe(403);
  expect((await ask("Which accounts are at risk?")).status).toBe(403);
  expect((await askQuery({ find: "accounts", show: "list" })).status).toBe(403);
});

it("refuses questions from another site", async () => {
  const { status } = await page.post(at, { q: "Which accounts are at risk?" }, { Origin: "https://elsewhere.test" });
  expect(status).toBe(403);
});

it("answers nothing in another workspace", async () => {
  await send(track("acme"));
  const other = await signedIn((await newWorkspace()).key);
  for (const form of [{ q: "All accounts" }, { query: JSON.stringify({ find: "accounts", show: "list" }) }]) {
    expect((await page.post(at, form)).html).toContain("acme");
    const { status, html } = await other.post(at, form);
    expect(status).toBe(404);
    expect(html).not.toContain("acme");
  }
});

/** What the form sends beside the question. */
const previousOn = (html: string): string => {
  const [, value = ""] = /<input type="hidden" name="previous" value="([^"]*)"/.exec(html) ?? [];
  return value.replaceAll("&quot;", '"');
};

describe("a follow-up", () => {
  it("changes the answered query, which the form sends and the page names, until the page is opened afresh", async () => {
    await send(track("acme"), track("globex"), track("globex"));
    const first = await ask("How many events did acme have today?");
    expect(textOf(first.html)).toContain(
      "are about: How many events from the account acme were there today? Start afresh",
    );
    expect(first.html).toContain(`<a href="${at}">Start afresh</a>`);

    const second = await page.post(at, { q: "and globex?", previous: previousOn(first.html) });
    expect(second.html).toContain('class="answer-text">The account globex had 2 events so far today');
    // The link to the page has the whole question.
    expect(questionOn(second.html)).toBe("How many events from the account globex were there today?");

    const refused = await page.post(at, { q: "and on rainy days?", previous: previousOn(second.html) });
    expect(titlesOn(refused.html)[0]).toBe("I don’t understand some of these words");
    expect(questionOn(refused.html)).toBe("and on rainy days?");
    expect(JSON.parse(previousOn(refused.html))).toEqual(JSON.parse(previousOn(second.html)));

    expect(previousOn((await page.get(at)).html)).toBe("");
    expect(titlesOn((await ask("and globex?")).html)[0]).toBe("This needs the question before it");
  });

  it("after a query of another workspace is an error", async () => {
    const previous = JSON.stringify({
      find: "accounts",
      show: "list",
      where: [{ dimension: "account.moon", is: "full" }],
    });
    expect((await page.post(at, { q: "how many?", previous })).status).toBe(400);
  });
});
