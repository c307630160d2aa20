/** Settings: what somebody with the admin token changes, and when it takes effect. */
import { expect } from "vitest";

import { signIn } from "./harness/sign-in.ts";
import { openTab } from "./harness/tabs.ts";
import { walk } from "./harness/walk.ts";

const MESSAGE = { type: "track", userId: "u1", event: "Opened" };

walk("makes a key that works, and revokes it: its next message is refused", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  await signIn(page, service.adminToken);
  await page.goto(`/console/w/${workspace.id}/settings`);
  await page.getByRole("textbox", { name: "Name" }).last().fill("Website");
  await page.getByRole("button", { name: "Make the key" }).click();
  await page.getByText("it will not be shown again").waitFor();
  const key = (await page.getByText(/^bik_\w+$/).textContent()) ?? "";
  expect(await service.send({ ...workspace, key }, [MESSAGE])).toBe(200);

  await page.goto(`/console/w/${workspace.id}/settings`);
  expect(await page.getByText(/bik_\w/).count()).toBe(0);
  const row = page.getByRole("row", { name: /Website/ });
  expect(await row.textContent()).toContain(`…${key.slice(-4)}`);
  expect(await row.textContent()).toContain("ingest");
  await row.getByText("Revoke", { exact: true }).click();
  await row.getByRole("button", { name: "Revoke it" }).click();
  await page.getByRole("status").getByText("The key was revoked").waitFor();
  expect(await service.send({ ...workspace, key }, [MESSAGE])).toBe(401);
  await row.getByText("revoked").waitFor();
});

walk("changes the write limit from the next message on", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  await signIn(page, service.adminToken);
  await page.goto(`/console/w/${workspace.id}/settings`);
  await page.getByLabel("Messages in 10 s").fill("3");
  await page.getByRole("button", { name: "Change name and limit" }).click();
  await page.getByRole("status").getByText("The workspace was changed").waitFor();
  expect(await service.send(workspace, [MESSAGE, MESSAGE])).toBe(200);
  expect(await service.send(workspace, [MESSAGE, MESSAGE])).toBe(429);
});

walk("accepts the agreement, which lets names be attached, and withdraws it", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  expect(await service.send(workspace, [MESSAGE])).toBe(200);
  const attach = () => service.attach(workspace, { userId: "u1", traits: { name: "Jo Doe" } });
  expect(await attach()).toBe(403);

  await signIn(page, service.adminToken);
  await page.goto(`/console/w/${workspace.id}/settings`);
  await page.getByLabel("Accepted by").fill("Jo Doe, Walk");
  await page.getByLabel("Version").fill("2026-01");
  await page.getByRole("button", { name: "Accept the agreement" }).click();
  await page.getByText("Version 2026-01, by Jo Doe, Walk").waitFor();
  expect(await attach()).toBe(200);

  await page.getByText("Withdraw it", { exact: true }).click();
  await page.getByRole("button", { name: "Withdraw, and erase all identity traits" }).click();
  await page.getByText("No names or e-mail addresses can be attached").waitFor();
  expect(await attach()).toBe(403);
});

walk("shows who signed in by a key the settings, and lets them change nothing", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await openTab(page, "Settings");
  await page.getByText("need a sign-in with the admin token").waitFor();
  expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
  expect(await page.getByRole("main").getByRole("textbox").count()).toBe(0);
});
