/** The console of a real `npm start`: the link that it prints signs in, and its first command is seen to arrive. */
import { execFileSync } from "node:child_process";

import { expect } from "vitest";

import { type Service, startService } from "../harness/service.ts";
import { walk as base } from "./harness/walk.ts";

const LINK = /^ +(http:\S+\/console\/sign-in\?link=\S+)$/m;
const FIRST_COMMAND = /^ +curl .*?(?=\n\n)/ms;

const walk = base
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures one takes
  .extend("started", { scope: "file" }, async ({}, { onCleanup }): Promise<Service> => {
    const service = await startService();
    onCleanup(() => service[Symbol.asyncDispose]());
    return service;
  })
  .extend("origin", ({ started }) => started.url);

walk("opens by the link that `npm start` prints, and shows what its first command sends", async ({ page, started }) => {
  await page.goto(LINK.exec(started.output())?.[1] ?? "");
  expect(new URL(page.url()).pathname).toMatch(/^\/console\/w\/ws_\w+\/live$/);
  await page.getByText("Nothing has come in yet").waitFor();

  const [command = ""] = FIRST_COMMAND.exec(started.output()) ?? [];
  expect(execFileSync("bash", ["-c", command], { encoding: "utf8" })).toContain('"ok":true');
  await page.getByRole("listitem").filter({ hasText: "report.exported" }).getByRole("link", { name: "acme" }).waitFor();
});

walk("takes no link that was changed, and none that is over", async ({ page, started, watch }) => {
  const link = new URL(LINK.exec(started.output())?.[1] ?? "");
  const [endsAt, signature] = (link.searchParams.get("link") ?? "").split(".");
  for (const changed of [`${Number(endsAt) + 1}.${signature}`, `1.${signature}`, `${endsAt}.`, "", "%"]) {
    watch.expectRefusal(403);
    link.searchParams.set("link", changed);
    await page.goto(link.href);
    await page.getByRole("alert").getByText("This link is over").waitFor();
  }
});
