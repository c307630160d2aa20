/** The commands of docs/api.md, pasted into a shell as a newcomer would. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

import type { Service, Workspace } from "./service.ts";

const GUIDE = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

/** The shell blocks of a section, in their order. */
export function commandsOf(heading: string): string[] {
  const section = GUIDE.split(/^## /m).find((text) => text.startsWith(heading)) ?? "";
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, command = ""]) => command);
}

/** Runs a block with the variables that the page sets first: the JSON objects that it prints. */
export function paste(
  service: Service,
  workspace: Workspace,
  command: string | undefined,
): readonly Record<string, unknown>[] {
  const env = {
    ...process.env,
    URL: service.url,
    KEY: workspace.key,
    WORKSPACE: workspace.id,
    ADMIN_TOKEN: service.adminToken,
  };
  const printed = execFileSync("bash", ["-euo", "pipefail", "-c", command ?? "false"], { env, encoding: "utf8" });
  return printed.split(/(?<=\})(?=\{)/).map((json) => JSON.parse(json));
}
