/** The console without script. */
import { expect } from "vitest";

import { openTab, signIn } from "./harness/actions.ts";
import { browserTest as withScript } from "./harness/browser-test.ts";

const browserTest = withScript.extend("hasScript", false);

browserTest("filters accounts with the button of the form", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await openTab(page, "Accounts");
  await page.getByLabel("Search").fill("glo");
  await page.getByLabel("Stage").selectOption("Customer");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("link", { name: "globex", exact: true }).waitFor();
  expect(await page.locator("tbody tr").count()).toBe(1);
});

browserTest("shows no buttons that need script", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await openTab(page, "Get started");
  expect(await page.getByRole("button", { name: "Copy" }).count()).toBe(0);
});

browserTest("answers an example, and a reading of a question", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await openTab(page, "Ask");
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  const answer = page.getByRole("region", { name: "Answer", exact: true });
  const field = page.getByLabel("Your question");
  await page.getByRole("button", { name: "Tell me about the account globex" }).click();
  await answer.getByRole("link", { name: "globex" }).waitFor();
  expect(await field.inputValue()).toBe("Tell me about the account globex");

  await field.fill("When was small 1 last seen?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("region", { name: "No answer" }).getByRole("button").first().click();
  await answer.waitFor();
  expect(await page.getByRole("button", { name: "Copy link" }).count()).toBe(0);
  expect(requested.filter((url) => /globex|small/.test(url))).toEqual([]);
});
