/**
 * What `npm start` prints when all is up: commands to paste into bash, the first of which works as it stands.
 */
import type { AdminToken } from "./admin-token.ts";
import { consoleLink } from "./console-link.ts";
import type { Demo } from "./demo.ts";

export function welcome(url: string, demo: Demo, token: AdminToken): string {
  return `
Behavior Ingest is up at ${url} (Ctrl-C stops it).

See it arrive in the console. This link signs you in, for an hour:

  ${consoleLink(url, token.value, `/console/w/${demo.workspaceId}/live`)}

There is little in it yet: \`npm run demo\`, in another terminal, gives it ninety days of sixty accounts.

Record a behaviour event. This key may only ingest:

  curl ${url}/api/v1/events \\
    -H 'Authorization: Bearer ${demo.ingestKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"accountId":"acme","userId":"u1","event":"report.exported","properties":{"format":"pdf"}}'

Read it back, with a key that may read${token.source === "environment" ? " (ADMIN_TOKEN is the one you set)" : ""}:

${token.source === ".dev.vars" ? "  ADMIN_TOKEN=$(sed -n 's/^ADMIN_TOKEN=//p' .dev.vars | tr -d '\"')\n" : ""}  READ_KEY=$(curl -s ${url}/admin/workspaces/${demo.workspaceId}/keys \\
    -H "Authorization: Bearer $ADMIN_TOKEN" -H 'Content-Type: application/json' \\
    -d '{"name":"reader","scopes":["read"]}' | sed 's/.*"key":"\\([^"]*\\)".*/\\1/')
  curl ${url}/api/v1/events -H "Authorization: Bearer $READ_KEY"
`;
}
