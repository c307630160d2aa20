/** Asking questions in the console. No address that the browser requests has anything of a question. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

import { signIn } from "./harness/actions.ts";
import { browserTest } from "./harness/browser-test.ts";

const QUESTION = "Top 20 accounts by usage";
const LINK = `#q=${encodeURIComponent(QUESTION)}`;

const answerOn = (page: Page) => page.getByRole("region", { name: "Answer", exact: true });
const fieldOn = (page: Page) => page.getByLabel("Your question");

/** Collects the addresses that a page requests. A request has no fragment. */
function requestsOf(page: Page): string[] {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url(), request.headers()["referer"] ?? ""));
  return requested;
}

browserTest(
  "answers a question, whose link asks it again and is never requested",
  async ({ page, service, origin }) => {
    await signIn(page, service.full.key);
    const requested = requestsOf(page);
    const path = `/console/w/${service.full.id}/ask`;
    await page.goto(path);
    await fieldOn(page).fill(QUESTION);
    await fieldOn(page).press("Enter");
    await answerOn(page).getByRole("link", { name: "globex" }).first().waitFor();
    expect(await fieldOn(page).inputValue()).toBe(QUESTION);
    expect(page.url()).toBe(origin + path + LINK);

    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(origin + path + LINK);

    await answerOn(page).getByText("Evidence", { exact: true }).click();
    expect(await page.getByRole("table", { name: "Evidence for the answer" }).isVisible()).toBe(true);
    await page.getByRole("table", { name: "Results" }).getByRole("link", { name: "globex" }).click();
    await page.getByRole("heading", { level: 1, name: "globex" }).waitFor();

    await page.goto(path + LINK);
    await answerOn(page).waitFor();
    expect(await fieldOn(page).inputValue()).toBe(QUESTION);
    expect(page.url()).toBe(origin + path + LINK);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "globex" }).waitFor();
    expect(requested.filter((url) => url.includes("usage") || url.includes("q="))).toEqual([]);
  },
);

browserTest("answers the question of a link after its reader has signed in", async ({ page, service }) => {
  const requested = requestsOf(page);
  await page.goto(`/console/w/${service.full.id}/ask${LINK}`);
  await page.locator("input[name=secret]").fill(service.full.key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await answerOn(page).waitFor();
  expect(await fieldOn(page).inputValue()).toBe(QUESTION);
  expect(requested.filter((url) => url.includes("usage"))).toEqual([]);
});

browserTest("answers another link that is opened on the page of an answer", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await page.goto(`/console/w/${service.full.id}/ask${LINK}`);
  await answerOn(page).waitFor();
  await page.goto(`/console/w/${service.full.id}/ask#q=${encodeURIComponent("Will acme churn?")}`);
  await page.getByRole("heading", { name: "I can’t predict the future" }).waitFor();
});
