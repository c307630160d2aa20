/** All of it works where no script runs. */
import { expect } from "vitest";

import { signIn } from "./harness/sign-in.ts";
import { openTab } from "./harness/tabs.ts";
import { walk as withScript } from "./harness/walk.ts";

const walk = withScript.extend("hasScript", false);

walk("filters accounts by the button of the form", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await openTab(page, "Accounts");
  await page.getByLabel("Begins with").fill("glo");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByRole("link", { name: "globex", exact: true }).waitFor();
  expect(await page.locator("tbody tr").count()).toBe(1);
});

walk("leads from a new key to a page that waits for the first event", async ({ page, service }) => {
  await signIn(page, service.adminToken);
  await page.getByLabel("Name").fill("Without script");
  await page.getByRole("button", { name: "Make the workspace" }).click();
  await page.getByText(/^bik_\w+$/).waitFor();
  const link = page.getByRole("link", { name: "Watch it arrive" });
  const [tab] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await tab.getByText("Waiting for your first event").waitFor();
});

walk("turns from waiting to the first event by itself", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  await signIn(page, workspace.key);
  await openTab(page, "Get started");
  await page.getByText("Waiting for your first event").waitFor();
  expect(await service.send(workspace, [{ type: "track", userId: "u1", event: "Opened" }])).toBe(200);
  await page.getByText("Your first event arrived").waitFor();
});

walk("offers no button that would do nothing", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await openTab(page, "Get started");
  expect(await page.getByRole("button", { name: "Copy" }).count()).toBe(0);
});
