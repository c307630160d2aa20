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
