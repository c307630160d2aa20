/** Accessibility and layout of each page with data: on a desktop and a phone, in light and dark mode. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { z } from "zod";

import { accessibilityProblems, keyboardProblems, overflowing } from "./harness/page-checks.ts";
import type { Console } from "./harness/console.ts";
import { DESK, image, picture, TELEPHONE } from "./harness/screenshots.ts";
import { signIn } from "./harness/actions.ts";
import { browserTest } from "./harness/browser-test.ts";

type PathOf = (service: Console) => string | Promise<string>;

const inside =
  (path: string): PathOf =>
  ({ shown }) =>
    `/console/w/${shown.id}/${path}`;

async function withPeople(service: Console): Promise<string> {
  const workspaces = [service.shown.id, service.full.id];
  const person = { email: "ann.lee.of.customer.success@customers.example.com", role: "member", workspaces };
  await service.admin("POST", "/admin/people", person);
  await service.admin("POST", "/admin/tokens", { name: "Dashboards", readOnly: true });
  return "/console/people";
}

const RANKING = "Top 20 accounts by MRR";

const PAGES: [name: string, pathOf: PathOf][] = [
  ["workspaces", () => "/console/workspaces"],
  ["databases", () => "/console/databases"],
  ["audit log", () => "/console/audit"],
  ["people", withPeople],
  ["start", inside("start")],
  ["live", inside("live")],
  ["accounts", inside("accounts")],
  ["new accounts", inside("accounts/new")],
  ["account", (service) => service.accountOfFirstItem(service.shown)],
  ["home", inside("home")],
  ["user", (service) => service.userOfFirstItem(service.shown)],
  ["features", inside("features")],
  ["feature", inside("features/1")],
  ["inbox", inside("inbox")],
  ["item", async (service) => `/console/w/${service.shown.id}/inbox?show=${await service.firstItem(service.shown)}`],
  ["ask", inside("ask")],
  ["answer", inside(`ask#q=${encodeURIComponent(RANKING)}`)],
  ...["", "/keys", "/privacy", "/system"].map((section): [string, PathOf] => [
    `settings${section.replace("/", " ")}`,
    inside(`settings${section}`),
  ]),
  ["documentation", () => "/console/docs"],
  ["documentation of the wire", () => "/console/docs/wire/messages"],
  ["key", newKey],
  ["destinations", async (service) => (await service.newDestination()).replace(/\/dst_\w+$/, "")],
  ["destination", (service) => service.newDestination()],
];

const Made = z.object({ key: z.object({ id: z.string() }) });

/** Creates a key for web pages. @returns the path of the page that changes it */
async function newKey(service: Console): Promise<string> {
  const { id } = await service.createWorkspace();
  const made = await service.admin("POST", `/admin/workspaces/${id}/keys`, { origins: ["https://*.example.com"] });
  return `/console/w/${id}/settings/keys?show=${Made.parse(await made.json()).key.id}`;
}

const README_SHOWS = new Set(["accounts", "account", "inbox", "answer"]);

const SIZES = { desk: DESK, telephone: TELEPHONE } as const;

browserTest("the page sign-in is accessible and fits every screen", async ({ page }) => {
  await page.goto("/console/sign-in");
  expect(await problemsOf(page, "sign-in")).toEqual([]);
});

browserTest.for(PAGES)("the page %s is accessible and fits every screen", async ([name, pathOf], { page, service }) => {
  await signIn(page, service.adminToken);
  await page.goto(await pathOf(service));
  if (name === "answer") await page.getByRole("region", { name: "Answer", exact: true }).waitFor();
  if (README_SHOWS.has(name)) await image(page, name);
  if (name === "answer") await openDetails(page);
  expect(await problemsOf(page, name)).toEqual([]);
});

/** Opens what is collapsed, without moving the start of Tab. */
const openDetails = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

async function problemsOf(page: Page, name: string): Promise<string[]> {
  const problems: string[] = [];
  if (await page.evaluate(() => document.compatMode === "BackCompat")) problems.push("No doctype");
  const headings = await page.getByRole("heading", { level: 1 }).count();
  if (headings !== 1) problems.push(`${headings} first-level headings`);
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    problems.push(...(await overflowing(page)).map((problem) => `${size}: ${problem}`));
    if (
      await page.evaluate(() =>
        [...document.querySelectorAll(".tabs")].some((tabs) => tabs.scrollWidth > tabs.clientWidth),
      )
    )
      problems.push(`${size}: tabs are cut off`);
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await picture(page, `${name}-${size}-${scheme}`);
      // The colors are the same as on a desktop.
      if (size === "telephone" && scheme === "dark") continue;
      problems.push(...(await accessibilityProblems(page)).map((problem) => `${size}, ${scheme}: ${problem}`));
    }
  }
  await page.setViewportSize(DESK);
  problems.push(...(await keyboardProblems(page)));
  return problems;
}
