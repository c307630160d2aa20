import type { Page } from "playwright-core";

/** Signs in with the admin token or a workspace's key. */
export async function signIn(page: Page, secret: string): Promise<void> {
  await page.goto("/console/sign-in");
  await submitSecret(page, secret);
  await page.waitForURL((url) => url.pathname !== "/console/sign-in");
}

/** Submits the form of the sign-in page. */
export async function submitSecret(page: Page, secret: string): Promise<void> {
  await page.locator("input[name=secret]").fill(secret);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens a tab of the workspace, and waits until it is loaded: a click alone may not. */
export async function openTab(page: Page, name: string): Promise<void> {
  const bar = page.getByRole("navigation", { name: "Workspace" });
  await bar.getByRole("link", { name, exact: true }).click();
  await bar.locator("[aria-current=page]").getByText(name, { exact: true }).waitFor();
  await page.waitForLoadState();
}
