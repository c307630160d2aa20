/** Runs the commands of docs/api.md in a shell, as a newcomer would. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

import type { AdminClient, Workspace } from "./admin-client.ts";

const GUIDE = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

const run = promisify(execFile);
/** Only prevents hanging. */
const MAX_COMMAND_MS = 300_000;

/** Returns the code blocks of a section in a language, in order. */
export function commandsOf(heading: string, language = "sh"): string[] {
  const section = GUIDE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/api.md has no section ${heading}`);
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(
    ([, command = ""]) => command,
  );
}

/** Runs a command as pasted into bash. @returns what it prints; this process can serve the command meanwhile */
export async function inBash(
  command: string,
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", command], { timeout: MAX_COMMAND_MS, ...options });
  return stdout;
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
  return (await inBash(command, { env })).split(/(?<=\})(?=\{)/).map((json) => JSON.parse(json));
}
