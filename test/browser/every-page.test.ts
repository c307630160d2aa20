/** What holds for each page, full of what there is to show: on a desk and on a telephone, by day and by night. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

import { accessibilityProblems } from "./harness/accessibility.ts";
import type { Console } from "./harness/console.ts";
import { keyboardProblems } from "./harness/keyboard.ts";
import { overflowing } from "./harness/narrow.ts";
import { DESK, image, picture, TELEPHONE } from "./harness/screenshots.ts";
import { signIn } from "./harness/sign-in.ts";
import { walk } from "./harness/walk.ts";

type PathOf = (service: Console) => string | Promise<string>;

const inside =
  (path: string): PathOf =>
  ({ shown }) =>
    `/console/w/${shown.id}/${path}`;

const PAGES: [name: string, pathOf: PathOf][] = [
  ["workspaces", () => "/console/workspaces"],
  ["start", inside("start")],
  ["live", inside("live")],
  ["accounts", inside("accounts")],
  ["account", (service) => service.accountOfFirstItem(service.shown)],
  ["inbox", inside("inbox")],
  ["ask", inside("ask")],
  ["answer", inside("ask?q=Top+5+accounts+by+decline+in+the+last+30+days")],
  ["settings", inside("settings")],
];

const README_SHOWS = new Set(["accounts", "account", "inbox", "answer"]);

const SIZES = { desk: DESK, telephone: TELEPHONE } as const;

walk("the page sign-in is for everybody, on any screen", async ({ page }) => {
  await page.goto("/console/sign-in");
  expect(await faultsOf(page, "sign-in")).toEqual([]);
});

walk.for(PAGES)("the page %s is for everybody, on any screen", async ([name, pathOf], { page, service }) => {
  await signIn(page, service.adminToken);
  await page.goto(await pathOf(service));
  if (README_SHOWS.has(name)) await image(page, name);
  expect(await faultsOf(page, name)).toEqual([]);
});

async function faultsOf(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  if (await page.evaluate(() => document.compatMode === "BackCompat")) faults.push("Without a doctype");
  const headings = await page.getByRole("heading", { level: 1 }).count();
  if (headings !== 1) faults.push(`${headings} headings of the first level`);
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    faults.push(...(await overflowing(page)).map((problem) => `${size}: ${problem}`));
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await picture(page, `${name}-${size}-${scheme}`);
      // Colours are those of the desk.
      if (size === "telephone" && scheme === "dark") continue;
      faults.push(...(await accessibilityProblems(page)).map((problem) => `${size}, ${scheme}: ${problem}`));
    }
  }
  await page.setViewportSize(DESK);
  faults.push(...(await keyboardProblems(page)));
  return faults;
}
