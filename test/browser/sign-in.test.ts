/** Coming in and going out. */
import { expect } from "vitest";

import { signIn, submitSecret } from "./harness/sign-in.ts";
import { walk } from "./harness/walk.ts";

const SIGN_IN = /\/console\/sign-in/;

walk("lets the admin token in to all workspaces, and out again", async ({ page, service }) => {
  await signIn(page, service.adminToken);
  await page.getByRole("link", { name: service.full.name }).waitFor();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(SIGN_IN);
  await page.goto("/console/workspaces");
  expect(page.url()).toMatch(SIGN_IN);
});

walk("refuses a wrong secret and takes the right one after it", async ({ page, service, watch }) => {
  await page.goto("/console/sign-in");
  watch.expectRefusal(401);
  await submitSecret(page, "bik_000000000000000000000000000000");
  await page.getByRole("alert").getByText("no key of a workspace").waitFor();
  expect(await page.locator("input[name=secret]").inputValue()).toBe("");

  await submitSecret(page, service.full.key);
  await page.waitForURL(`**/console/w/${service.full.id}/**`);
});

walk("refuses a key without the scope “read”, and says what it lacks", async ({ page, service, watch }) => {
  const key = await service.createKey(service.full, ["ingest", "ask"]);
  await page.goto("/console/sign-in");
  watch.expectRefusal(403);
  await submitSecret(page, key);
  await page.getByRole("alert").getByText("lacks the scope “read”").waitFor();
});

walk("shows a key its own workspace and no other", async ({ page, service, watch }) => {
  const [own, other] = [await service.createWorkspace("Own"), await service.createWorkspace("Other")];
  await signIn(page, own.key);
  expect(page.url()).toContain(`/console/w/${own.id}/`);
  await page.getByText("Own", { exact: true }).waitFor();
  expect(await page.getByRole("link", { name: "Workspaces" }).count()).toBe(0);

  watch.expectRefusal(404);
  await page.goto(`/console/w/${other.id}/inbox`);
  await page.getByRole("heading", { name: "Nothing here" }).waitFor();
  watch.expectRefusal(403);
  await page.goto("/console/workspaces");
  await page.getByRole("heading", { name: "Not allowed" }).waitFor();
});

walk("leads back to the page that one wanted", async ({ page, service }) => {
  const wanted = `/console/w/${service.full.id}/accounts?sort=mrr`;
  await page.goto(wanted);
  expect(page.url()).toMatch(SIGN_IN);
  await submitSecret(page, service.full.key);
  await page.waitForURL(service.url + wanted);
});

walk("ends the session of a key that was revoked", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  const key = await service.createKey(workspace, ["read"]);
  await signIn(page, key);
  await service.revokeKey(workspace, key);
  await page.reload();
  expect(page.url()).toMatch(SIGN_IN);
});
