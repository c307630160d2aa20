/** Accounts: looked over in a list, and one by itself. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

import { PICTURE, SCRIPT } from "./harness/hostile-names.ts";
import { signIn } from "./harness/sign-in.ts";
import { openTab } from "./harness/tabs.ts";
import { walk } from "./harness/walk.ts";

const namesOf = (page: Page): Promise<string[]> => page.getByRole("rowheader").getByRole("link").allTextContents();

walk("sorts, filters and searches accounts", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await openTab(page, "Accounts");
  expect((await namesOf(page)).slice(0, 3)).toEqual(["globex", PICTURE, SCRIPT]);

  await page.getByLabel("Order").selectOption("Highest MRR first");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect.poll(() => namesOf(page)).toEqual(expect.objectContaining({ 0: "globex", 1: "hooli", 2: "acme" }));

  await page.getByLabel("Health").selectOption({ label: "At risk (3)" });
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect.poll(() => namesOf(page)).toEqual(["globex", PICTURE, SCRIPT]);

  await page.getByLabel("Health").selectOption("");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByLabel("Begins with").fill("UMB");
  await page.getByLabel("Begins with").press("Enter");
  await expect.poll(() => namesOf(page)).toEqual(["umbrella"]);
  expect(await page.getByLabel("Order").inputValue()).toBe("mrr");

  await page.getByLabel("Begins with").fill("nobody");
  await page.getByLabel("Begins with").press("Enter");
  await page.getByText("No account is like that").waitFor();
  await page.getByRole("link", { name: "Show all accounts" }).click();
  await expect.poll(() => namesOf(page)).toHaveLength(50);
});

walk("shows all accounts on two pages, each of them once", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await openTab(page, "Accounts");
  const first = await namesOf(page);
  await page.getByRole("link", { name: "Next page" }).click();
  // Stands on the second page alone, and behind its table.
  await page.getByRole("link", { name: "First page" }).waitFor();
  const second = await namesOf(page);
  expect(new Set([...first, ...second]).size).toBe(first.length + second.length);
  expect(second.length).toBe(13);
  await page.getByRole("link", { name: "First page" }).click();
  await expect.poll(() => namesOf(page)).toEqual(first);
});

walk("tells of one account how it is, why, who uses it for what, and what to do", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await openTab(page, "Accounts");
  await page.getByRole("link", { name: "globex", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "globex" }).waitFor();

  const main = page.getByRole("main");
  await main.getByText("At risk").first().waitFor();
  await main.getByText("globex has gone silent").first().waitFor();
  await main.getByText("(5 or more count as silence): this caps the score").waitFor();
  await main.getByRole("img", { name: /Score of globex/ }).waitFor();
  await main.getByRole("row", { name: /globex-1/ }).waitFor();
  await main.getByRole("row", { name: /report\.exported .*−\d+%/ }).waitFor();

  await main.getByRole("link", { name: "In the inbox: globex has gone silent" }).click();
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  await page.getByRole("article", { name: "globex has gone silent" }).waitFor();
});
