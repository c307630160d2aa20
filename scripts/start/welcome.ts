/** Builds the text that `npm start` prints when the service is ready: commands that work when pasted into bash. */
import type { AdminToken } from "./secrets.ts";
import { consoleLink } from "./console-link.ts";
import type { FirstWorkspace } from "./first-workspace.ts";
import { baseUrl, DEFAULT_ADDRESS, DEFAULT_PORT, type Settings } from "./settings.ts";

/** A workspace with fewer messages has little to look at. */
const ENOUGH_TO_SEE = 1_000;

export interface Started {
  settings: Settings;
  token: AdminToken;
  workspace: FirstWorkspace;
  /** Messages in the workspace. */
  stored: number;
}

export function welcome({ settings, token, workspace, stored }: Started): string {
  const url = baseUrl(settings);
  const link = consoleLink(url, token.value, `/console/w/${workspace.workspaceId}/live`);
  return `
Behavior Ingest is running at ${url}

Open the console (${link === null ? "sign in with your ADMIN_TOKEN" : "this link signs you in for one hour"}):

  ${link ?? `${url}/console`}

${stored < ENOUGH_TO_SEE ? invitation(settings, token) : `The demo workspace has ${stored.toLocaleString("en")} messages.`}

Send an event. This key can only send:

  curl ${url}/api/v1/events \\
    -H 'Authorization: Bearer ${workspace.ingestKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"accountId":"acme","userId":"u1","event":"report.exported","properties":{"format":"pdf"}}'

Read it back. This key can only read:

  curl ${url}/api/v1/events -H 'Authorization: Bearer ${workspace.readKey}'

Ctrl-C stops the service. Below, it logs one line of JSON for each request.
`;
}

function invitation(settings: Settings, { source }: AdminToken): string {
  const where = `in another terminal${source === "environment" ? " with the same ADMIN_TOKEN" : ""}`;
  return `The demo workspace is almost empty. To fill it with 90 days of 60 accounts, run \`${demoCommand(settings)}\` ${where}.`;
}

/** The demo finds the service by the same variables. */
function demoCommand({ address, port }: Settings): string {
  const variables = [
    ...(address === DEFAULT_ADDRESS ? [] : [`BIND_ADDRESS=${address}`]),
    ...(port === DEFAULT_PORT ? [] : [`PORT=${port}`]),
  ];
  return [...variables, "npm run demo"].join(" ");
}
