/** Asking questions in the console: refusals, forms with errors, and the page before a question. */
import { env } from "cloudflare:workers";
import { html as rendered } from "hono/html";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

import { AnswerView } from "../../../src/console/ask/answer-view.tsx";
import { MAX_QUESTION_CHARS } from "../../../src/config.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { DAY_MS } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf, titlesOn } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";
import { buttonsOn, group, questionOn, track } from "./support/asked.ts";

let workspace: TestWorkspace;
let page: Browser;
let at: string;

async function beginWorkspace(): Promise<void> {
  workspace = await newWorkspace({ writeLimit: 1_000 });
  page = await signedIn(workspace.key);
  at = `/console/w/${workspace.id}/ask`;
}

/** Sends messages, and returns the id of the last one's account. */
const send = async (...batch: unknown[]): Promise<string> => {
  const { status, body } = await workspace.post("/api/v1/cdp", batch);
  expect(status).toBe(200);
  return body.account?.id ?? "";
};
const ask = (q: string) => page.post(at, { q });
const askQuery = (query: unknown) => page.post(at, { query: JSON.stringify(query) });

describe("§15.6 a refusal", () => {
  beforeAll(async () => {
    await beginWorkspace();
    await send(track("acme"));
  });

  it.each([
    ["Will acme churn?", "I can’t predict the future"],
    ["Should I call acme?", "I can’t give advice"],
    ["What is the NPS of acme?", "This is not recorded"],
    ["What's the weather?", "This is not about your accounts"],
    ["How many events did acme have in 2019?", "No data for this period"],
  ])("%s: %s", async (question, reason) => {
    const { status, html } = await ask(question);
    expect(status).toBe(200);
    expect(titlesOn(html)[0]).toBe(reason);
    expect(questionOn(html)).toBe(question);
  });

  it("marks the words that were not understood, escaped", async () => {
    const { html } = await ask("Which <b>rainy</b> accounts have zorgle?");
    const [, asked = ""] = /<p class="asked">(.*?)<\/p>/s.exec(html) ?? [];
    expect(asked).toContain("zorgle</mark>");
    expect(asked).not.toContain("<b>");
    expect(textOf(asked)).toContain("Which");
    expect(asked).not.toContain("<mark>accounts");
    expect((await ask("Will acme churn?")).html).not.toContain("<mark>");
  });

  it("offers the names that an unknown word may mean as buttons, which ask the same question", async () => {
    await send(track("globex-one"), track("globex-two"));
    const { html } = await ask("When was globex-thr last seen?");
    const buttons = buttonsOn(html).filter(({ sent }) => "q" in sent);
    expect(buttons.map(({ text }) => text)).toContain("account globex-two");
    const answered = await page.post(at, buttons.find(({ text }) => text === "account globex-two")?.sent);
    expect(answered.html).toContain("globex-two was last active");
  });

  it("offers the question without a word that isn't understood, and says so", async () => {
    const { html } = await ask("How many zealous accounts are there?");
    expect(textOf(html)).toContain("How many accounts are there? without “zealous”");
    const button = buttonsOn(html).find(({ text }) => text === "How many accounts are there?");
    expect(textOf((await page.post(at, button?.sent)).html)).toMatch(/There (?:is|are) \d accounts?\./);
  });

  it("offers the nearest question as a button that answers it", async () => {
    const where = [{ dimension: "account", is: "acme" }];
    const query = { find: "accounts", where, show: "when", measure: "last_seen" } as const;
    const nearestAnswerable = { query, restated: 'When was the account "acme" last active?' };
    const freshness = { lastEventAt: null, lastRecomputeAt: null, firstDay: null, isBehind: false };
    const written = { refusal: { reason: "unmeasured_attribute", detail: "" } } as const;
    const answered = { written, asked: null, subject: null, window: null, freshness, nearestAnswerable };
    const [button] = buttonsOn((await rendered`${AnswerView({ workspace, answered })}`).toString());
    expect(button).toEqual({ text: nearestAnswerable.restated, sent: { query: JSON.stringify(query) } });
    expect((await page.post(at, button?.sent)).html).toContain("The account acme was last active on ");
  });

  it.each(["", "   ", "x".repeat(MAX_QUESTION_CHARS + 1)])(
    "is an error of the form for a question like %.9s",
    async (question) => {
      const { status, html } = await ask(question);
      expect(status).toBe(400);
      expect(textOf(html)).toContain(`“Your question” must have 1 to ${MAX_QUESTION_CHARS} characters.`);
      expect(html).toContain('aria-invalid="true"');
    },
  );

  it.each(["{", "{}", '{"find":"accounts","show":"value"}', '{"find":"accounts","show":"list","limit":1e9}'])(
    "is an error of the form for the query %s",
    async (query) => {
      const { status, html } = await page.post(at, { query });
      expect(status).toBe(400);
      expect(textOf(html)).toContain("This query is invalid.");
    },
  );

  it("names an account of a query that is unknown", async () => {
    const where = [{ dimension: "account", is: "nobody" }];
    const { html } = await askQuery({ find: "accounts", where, show: "summary" });
    expect(titlesOn(html)[0]).toBe("No account or user with this name");
  });
});

describe("§15.6 a question about one of several names", () => {
  beforeEach(beginWorkspace);

  it("offers each reading of an ambiguous question as a button that answers it", async () => {
    await send(track("Uniq-GmbH"), track("uniq.gmbh"));
    const { html } = await ask("When was uniq gmbh last seen?");
    expect(titlesOn(html)[0]).toBe("Did you mean one of these?");
    const options = buttonsOn(html);
    expect(options.map(({ text }) => text)).toEqual([
      "When was the account Uniq-GmbH last active?",
      "When was the account uniq.gmbh last active?",
    ]);
    for (const { text, sent } of options) {
      const answer = await page.post(at, sent);
      expect(answer.html).toContain('class="answer-text"');
      expect(questionOn(answer.html)).toBe(text);
    }
  });

  it("repeats the whole question with each full name", async () => {
    const ids = [await send(track("acme north")), await send(track("acme south"))];
    const { html } = await ask("When was acme last seen?");
    expect(titlesOn(html)[0]).toBe("Did you mean one of these?");
    expect(buttonsOn(html).map(({ text }) => text)).toEqual([
      "When was the account acme north last active?",
      "When was the account acme south last active?",
    ]);
    // Not every question can be asked of them.
    const { html: refused } = await ask("Will acme renew?");
    for (const id of ids)
      expect(refused).toContain(`<li>account <a href="/console/w/${workspace.id}/accounts/${id}">acme `);
  });
});

describe("before a question", () => {
  beforeEach(beginWorkspace);

  it("there are no examples without an account", async () => {
    const { html } = await page.get(at);
    expect(textOf(html)).toContain("No data to ask about yet");
    expect(html).toContain(`href="/console/w/${workspace.id}/start"`);
  });

  it("the examples name what the workspace has, and have answers", async () => {
    const days = Array.from({ length: 60 }, (_, day) => new Date(Date.now() - day * DAY_MS).toISOString());
    await send(
      ...days.map((timestamp) => ({ ...track("globex"), timestamp })),
      ...days.slice(0, 9).map((timestamp) => ({ ...track("globex", "report.shared"), timestamp })),
      track("acme"),
      group("acme", { mrr: 10 }),
      group("globex", { mrr: 900, plan: "pro", industry: "retail" }),
    );
    await recompute(env, { now: Date.now(), trigger: "admin", clock: Date.now, budgetMs: 60_000 });
    const examples = buttonsOn((await page.get(at)).html);
    expect(examples.map(({ text }) => text)).toEqual([
      "Tell me about the account globex",
      "Why is the health of the account globex as it is?",
      "Accounts that are at risk",
      "Accounts on the pro plan, highest MRR first",
      "How many accounts have the industry retail?",
      "Which 5 accounts that used report.exported had the most events in the last 28 days?",
      "Which 5 accounts had the most events in the last 28 days?",
    ]);
    for (const { text, sent } of examples) {
      const { html } = await page.post(at, sent);
      expect(html, text).toContain('class="answer-text"');
      expect(questionOn(html)).toBe(text);
    }
  });

  it("the examples have answers as soon as there is an account, whatever its name", async () => {
    await send(track(`the "best" accounts`));
    const examples = buttonsOn((await page.get(at)).html);
    expect(examples[0]?.text).toBe('Tell me about the account "the ""best"" accounts"');
    for (const { text, sent } of examples)
      expect((await page.post(at, sent)).html, text).toContain('class="answer-text"');
  });

  it("ignores a question in the address", async () => {
    await send(track("acme"));
    const { status, html } = await page.get(`${at}?q=When+was+acme+last+seen%3F`);
    expect(status).toBe(200);
    expect(questionOn(html)).toBe("");
    expect(titlesOn(html)).toEqual(["Examples"]);
  });
});
