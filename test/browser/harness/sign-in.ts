import type { Page } from "playwright-core";

/** Signs in as a person does, by the admin token or a workspace's key. */
export async function signIn(page: Page, secret: string): Promise<void> {
  await page.goto("/console/sign-in");
  await submitSecret(page, secret);
  await page.waitForURL((url) => url.pathname !== "/console/sign-in");
}

/** On the page of the sign-in. */
export async function submitSecret(page: Page, secret: string): Promise<void> {
  await page.locator("input[name=secret]").fill(secret);
  await page.getByRole("button", { name: "Sign in" }).click();
}
