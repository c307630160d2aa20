/** Names that would do something on a page that took them for markup stand there as text, wherever they are shown. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

import type { Console, Workspace } from "./harness/console.ts";
import { PICTURE, SCRIPT, TEMPLATE } from "./harness/hostile-names.ts";
import { signIn } from "./harness/sign-in.ts";
import { walk } from "./harness/walk.ts";

/** In all places that a sender, or who makes keys, can write into. */
async function hostileWorkspace(service: Console): Promise<Workspace> {
  const workspace = await service.createWorkspace(PICTURE);
  await service.createKey(workspace, ["read"], SCRIPT);
  const traits = { plan: TEMPLATE, note: SCRIPT, [PICTURE]: PICTURE };
  const status = await service.send(workspace, [
    { type: "group", userId: SCRIPT, groupId: PICTURE, traits },
    { type: "identify", userId: SCRIPT, traits },
    { type: "track", userId: SCRIPT, event: PICTURE, properties: { [SCRIPT]: PICTURE } },
    { type: "track", userId: SCRIPT, event: SCRIPT, timestamp: PICTURE, properties: { note: TEMPLATE } },
  ]);
  expect(status).toBe(200);
  await service.admin("POST", "/admin/recompute");
  return workspace;
}

walk("shows hostile names as text on each page, and opens no dialog", async ({ page, service }) => {
  const workspace = await hostileWorkspace(service);
  const at = (path: string) => `/console/w/${workspace.id}/${path}`;
  await signIn(page, service.adminToken);

  await showsText(page, "/console/workspaces", PICTURE);
  for (const path of ["start", "live", "accounts", "inbox", "ask", "settings"])
    await showsText(page, at(path), PICTURE);
  await showsText(page, at("settings"), SCRIPT);
  await showsText(page, at("live"), SCRIPT);
  await page.goto(at("accounts"));
  await page.getByRole("link", { name: PICTURE, exact: true }).click();
  await page.getByRole("heading", { level: 1 }).getByText(PICTURE).waitFor();
  await showsText(page, page.url(), SCRIPT);
});

/** The text, letter by letter, and no element that came of it. */
async function showsText(page: Page, url: string, text: string): Promise<void> {
  await page.goto(url);
  await page.getByText(text).first().waitFor({ state: "attached" });
  expect(await page.locator("img[src=x], [onerror]").count()).toBe(0);
  expect(await page.locator("script:not([src])").count()).toBe(0);
}
