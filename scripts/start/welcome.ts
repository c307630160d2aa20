/**
 * What `npm start` prints when all is up: commands to paste into bash, the first of which works as it stands.
 */
import type { AdminToken } from "./admin-token.ts";
import { consoleLink } from "./console-link.ts";
import type { FirstWorkspace } from "./first-workspace.ts";
import { DEFAULT_ADDRESS, DEFAULT_PORT, type Settings } from "./settings.ts";

/** From so many messages on a workspace is worth looking at without the demo. */
const MUCH_STORED = 1_000;

interface Around {
  /** Messages in the workspace. */
  stored: number;
  /** The command that fills it. */
  demo: string;
}

/** The demo finds the service by the same variables. */
export function demoCommand({ address, port }: Settings): string {
  const other = [
    ...(address === DEFAULT_ADDRESS ? [] : [`BIND_ADDRESS=${address}`]),
    ...(port === DEFAULT_PORT ? [] : [`PORT=${port}`]),
  ];
  return [...other, "npm run demo"].join(" ");
}

export function welcome(
  url: string,
  { workspaceId, ingestKey }: FirstWorkspace,
  token: AdminToken,
  { stored, demo }: Around = { stored: 0, demo: "npm run demo" },
): string {
  const link = consoleLink(url, token.value, `/console/w/${workspaceId}/live`);
  return `
Behavior Ingest is up at ${url} (Ctrl-C stops it).

See it arrive in the console. ${link === null ? "You sign in there with ADMIN_TOKEN" : "This link signs you in, for an hour"}:

  ${link ?? `${url}/console`}

${stored < MUCH_STORED ? littleInIt(demo, token) : `It holds ${stored.toLocaleString("en")} messages.`}

Record a behaviour event. This key may only ingest:

  curl ${url}/api/v1/events \\
    -H 'Authorization: Bearer ${ingestKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"accountId":"acme","userId":"u1","event":"report.exported","properties":{"format":"pdf"}}'

Read it back, with a key that may read${token.source === "environment" ? " (ADMIN_TOKEN is the one you set)" : ""}:

${token.source === ".dev.vars" ? "  ADMIN_TOKEN=$(sed -n 's/^ADMIN_TOKEN=//p' .dev.vars | tr -d '\"')\n" : ""}  READ_KEY=$(curl -s ${url}/admin/workspaces/${workspaceId}/keys \\
    -H "Authorization: Bearer $ADMIN_TOKEN" -H 'Content-Type: application/json' \\
    -d '{"name":"reader","scopes":["read"]}' | sed 's/.*"key":"\\([^"]*\\)".*/\\1/')
  curl ${url}/api/v1/events -H "Authorization: Bearer $READ_KEY"
`;
}

function littleInIt(demo: string, { source }: AdminToken): string {
  const where = `in another terminal${source === "environment" ? ", with the same ADMIN_TOKEN" : ""}`;
  return `There is little in it yet: \`${demo}\`, ${where}, gives it ninety days of sixty accounts.`;
}
