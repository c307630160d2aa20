/** Live: what comes in shows on a page that is open already. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

import { signIn } from "./harness/sign-in.ts";
import { openTab } from "./harness/tabs.ts";
import { walk } from "./harness/walk.ts";

/** Answers `true` as long as the page was not loaded anew since. */
async function remember(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(globalThis, { isTheSame: true }));
  return () => page.evaluate(() => Reflect.has(globalThis, "isTheSame"));
}

walk("shows a stored and a rejected message without a reload, and how it was taken", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  await signIn(page, workspace.key);
  await openTab(page, "Live");
  await page.getByText("Nothing has come in yet").waitFor();
  const isTheSame = await remember(page);

  const stored = {
    type: "track",
    messageId: "m1",
    userId: "u1",
    event: "Report Exported",
    properties: { company_id: "acme" },
  };
  const status = await service.send(workspace, [stored, stored, { type: "track", userId: "u1", event: "?!" }]);
  expect(status).toBe(200);

  const message = page.getByRole("listitem").filter({ hasText: "report.exported" });
  await message.getByRole("link", { name: "acme" }).waitFor();
  await message.getByText("How it was taken").click();
  await message.getByText("“Report Exported”").waitFor();
  await message.getByText("properties.company_id").waitFor();
  const reject = page.getByRole("listitem").filter({ hasText: "invalid message" });
  await reject.getByText("event").first().waitFor();

  // What somebody reads stays open, and they stay where they are, while more comes in.
  await service.send(workspace, [{ type: "track", userId: "u1", event: "Board Shared" }]);
  await page.getByText("board.shared").first().waitFor();
  expect(await message.getByText("properties.company_id").isVisible()).toBe(true);
  expect(await message.locator("summary").evaluate((summary) => summary === document.activeElement)).toBe(true);
  expect(await isTheSame()).toBe(true);
});

walk("counts what became of messages, and shows how much of the write limit is in use", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  const track = { type: "track", userId: "u1", event: "Opened" };
  await signIn(page, workspace.key);
  await openTab(page, "Live");
  const figure = (name: string) => page.locator(".stat").filter({ hasText: name }).locator("dd").first();
  await expect.poll(() => figure("Stored").textContent()).toBe("0");
  const second = page.getByRole("navigation", { name: "Stretch of time" }).getByRole("link").nth(1);
  await second.focus();

  expect(
    await service.send(
      workspace,
      Array.from({ length: 40 }, () => track),
    ),
  ).toBe(200);
  expect(await service.send(workspace, [{ type: "nothing" }, { ...track, messageId: "m" }])).toBe(200);
  expect(await service.send(workspace, [{ ...track, messageId: "m" }])).toBe(200);
  await page.getByText("43 of 100 messages").waitFor();
  expect(
    await service.send(
      workspace,
      Array.from({ length: 90 }, () => track),
    ),
  ).toBe(429);

  for (const [name, count] of Object.entries({ Stored: "41", Rejected: "1" })) {
    await expect.poll(() => figure(name).textContent(), { timeout: 15_000 }).toBe(count);
  }
  await page.getByText("90 messages were rate-limited").waitFor();
  expect(await second.evaluate((link) => link === document.activeElement)).toBe(true);
});
