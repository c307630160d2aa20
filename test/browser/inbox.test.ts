/** The inbox: items are put aside and taken back. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

import { signIn } from "./harness/sign-in.ts";
import { walk } from "./harness/walk.ts";

const itemIn = (page: Page, title: string) => page.getByRole("article", { name: title });
const show = (page: Page, status: string) =>
  page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: status }).click();

walk("snoozes an item until a day, finds it among the snoozed and puts it back", async ({ page, service }) => {
  const title = "Usage at hooli grew";
  await signIn(page, service.full.key);
  const until = new Date(Date.now() + 86_400_000).toISOString().slice(8, 10).replace(/^0/, "");
  await itemIn(page, title).getByLabel("Snooze for").selectOption("1 day");
  await itemIn(page, title)
    .getByRole("button", { name: `Snooze: ${title}` })
    .click();
  await page
    .getByRole("status")
    .getByText(new RegExp(`^Snoozed until ${until} .*${title}`))
    .waitFor();
  expect(await itemIn(page, title).count()).toBe(0);

  await show(page, "Snoozed");
  await itemIn(page, title).getByRole("button", { name: "Put back" }).click();
  await page.getByRole("status").getByText(`Put back: ${title}`).waitFor();
  await show(page, "Open");
  await itemIn(page, title).waitFor();
});

walk("dismisses an item, and takes that back on the spot", async ({ page, service }) => {
  const title = "The trial of soylent ends";
  await signIn(page, service.full.key);
  await itemIn(page, title).getByRole("button", { name: "Dismiss" }).click();
  await page.getByRole("status").getByText(`Dismissed: ${title}`).waitFor();
  expect(await itemIn(page, title).count()).toBe(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await itemIn(page, title).waitFor();
});

walk("shows one kind alone, and the way back to all", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await page.getByLabel("Kind").selectOption({ label: "Gone silent (3)" });
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect.poll(() => page.getByRole("article").count()).toBe(3);
  await page.getByLabel("Kind").selectOption({ label: "Seats nearly full (0)" });
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("Nothing open of the kind").waitFor();
  await page.getByRole("link", { name: "Show all kinds" }).click();
  await itemIn(page, "globex has gone silent").waitFor();
});

walk("lets a key without the scope “inbox” look, and no more", async ({ page, service }) => {
  await signIn(page, await service.createKey(service.full, ["read"]));
  await itemIn(page, "globex has gone silent").waitFor();
  expect(await page.getByRole("button", { name: /Snooze|Dismiss/ }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Ask" }).count()).toBe(0);
});
