/**
 * What `npm start` prints when all is up: commands to paste into bash, the first of which works as it stands.
 */
import type { AdminToken } from "./admin-token.ts";
import { consoleLink } from "./console-link.ts";
import type { FirstWorkspace } from "./first-workspace.ts";

export function welcome(url: string, { workspaceId, ingestKey }: FirstWorkspace, token: AdminToken): string {
  const link = consoleLink(url, token.value, `/console/w/${workspaceId}/live`);
  return `
Behavior Ingest is up at ${url} (Ctrl-C stops it).

See it arrive in the console. ${link === null ? "You sign in there with ADMIN_TOKEN" : "This link signs you in, for an hour"}:

  ${link ?? `${url}/console`}

There is little in it yet: \`npm run demo\`, in another terminal, gives it ninety days of sixty accounts.

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
