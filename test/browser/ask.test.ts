/** Asking: an answer with what it stands on, or a plain no and what could be asked instead. */
import { expect } from "vitest";

import { signIn } from "./harness/sign-in.ts";
import { openTab } from "./harness/tabs.ts";
import { walk } from "./harness/walk.ts";

walk("answers a question with its evidence, and leads to the account", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await openTab(page, "Ask");
  await page.getByLabel("Your question").fill("How healthy is globex?");
  await page.getByRole("button", { name: "Ask" }).click();

  const answer = page.getByRole("region", { name: "Answer", exact: true });
  expect(await answer.textContent()).toContain('"globex"');
  expect(await page.getByLabel("Your question").inputValue()).toBe("How healthy is globex?");
  await page.getByRole("row", { name: /Score/ }).first().waitFor();
  await page.getByRole("main").getByRole("link", { name: "globex" }).first().click();
  await page.getByRole("heading", { level: 1, name: "globex" }).waitFor();
});

walk("leads from each account of a list to its page", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await page.goto(`/console/w/${service.full.id}/ask`);
  await page.getByRole("link", { name: "Which accounts are at risk?" }).click();
  await page.getByRole("region", { name: "Answer", exact: true }).waitFor();
  const rows = page.getByRole("table", { name: "The answer in rows" }).getByRole("link");
  expect(await rows.count()).toBe(3);
  const evidence = page.getByRole("table", { name: "What the answer stands on" }).getByRole("link");
  expect(await evidence.count()).toBeGreaterThan(0);
  await evidence.first().click();
  await page.getByRole("heading", { level: 1 }).waitFor();
});

walk("says that it does not know, and offers what can be answered", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await page.goto(`/console/w/${service.full.id}/ask`);
  await page.getByLabel("Your question").fill("Which accounts will churn?");
  await page.getByLabel("Your question").press("Enter");
  const none = page.getByRole("region", { name: "No answer" });
  await none.getByRole("heading", { name: "The future is not known here" }).waitFor();
  await none.getByRole("link", { name: "Which accounts are churned?" }).click();
  await page.getByRole("region", { name: "Answer", exact: true }).waitFor();
});
