/** Runs the commands of docs/api.md in a shell, as a newcomer would. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

import type { AdminClient, Workspace } from "./admin-client.ts";

const GUIDE = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

const run = promisify(execFile);

/** Returns the shell blocks of a section, in order. */
export function commandsOf(heading: string): string[] {
  const section = GUIDE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/api.md has no section ${heading}`);
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, command = ""]) => command);
}

/** Runs a block with the variables that the guide sets first, and parses the JSON objects that it prints. */
export async function paste(
  service: AdminClient,
  workspace: Workspace,
  command = "false",
): Promise<readonly Record<string, unknown>[]> {
  const env = {
    ...process.env,
    URL: service.url,
    KEY: workspace.key,
    WORKSPACE: workspace.id,
    ADMIN_TOKEN: service.adminToken,
  };
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", command], { env });
  return stdout.split(/(?<=\})(?=\{)/).map((json) => JSON.parse(json));
}
