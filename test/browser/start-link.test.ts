/** The console of a real `npm start`: its sign-in link works, and the event of its first command arrives. */
import { execFileSync } from "node:child_process";

import { expect } from "vitest";

import { type Service, startService } from "../harness/service.ts";
import { browserTest as base } from "./harness/browser-test.ts";

const LINK = /^ +(http:\S+\/console\/sign-in\?link=\S+)$/m;
const FIRST_COMMAND = /^ +curl .*?(?=\n\n)/ms;

const browserTest = base
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures one takes
  .extend("started", { scope: "file" }, async ({}, { onCleanup }): Promise<Service> => {
    const service = await startService();
    onCleanup(() => service[Symbol.asyncDispose]());
    return service;
  })
  .extend("origin", ({ started }) => started.url);

browserTest(
  "opens by the link that `npm start` prints, and shows the event of its first command",
  async ({ page, started }) => {
    await page.goto(LINK.exec(started.output())?.[1] ?? "");
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/w\/ws_\w+\/live$/);
    await page.getByText("No messages yet").waitFor();

    const [command = ""] = FIRST_COMMAND.exec(started.output()) ?? [];
    expect(execFileSync("bash", ["-c", command], { encoding: "utf8" })).toContain('"ok":true');
    await page.getByRole("row").filter({ hasText: "report.exported" }).getByRole("link", { name: "acme" }).waitFor();
  },
);

browserTest("refuses changed and expired links", async ({ page, started, watch }) => {
  const link = new URL(LINK.exec(started.output())?.[1] ?? "");
  const [endsAt, signature] = (link.searchParams.get("link") ?? "").split(".");
  for (const changed of [`${Number(endsAt) + 1}.${signature}`, `1.${signature}`, `${endsAt}.`, "", "%"]) {
    watch.expectRefusal(403);
    link.searchParams.set("link", changed);
    await page.goto(link.href);
    await page.getByRole("alert").getByText("Link expired").waitFor();
  }
});
