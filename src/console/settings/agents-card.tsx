/** How agents connect to the workspace by the Model Context Protocol: docs/agents.md. */
import type { FC } from "hono/jsx";

import { Card, Snippet } from "../components/elements.tsx";

/** Their names, and the file or place that a snippet belongs to. Keys stay out of files where the agent can read a variable. */
const snippetsFor = (url: string): [agent: string, place: string, snippet: string][] => [
  [
    "Claude Code",
    "in a terminal",
    `claude mcp add --transport http behavior-ingest ${url} --header "Authorization: Bearer $BEHAVIOR_INGEST_KEY"`,
  ],
  [
    "Cursor",
    "in .cursor/mcp.json",
    json({
      mcpServers: { "behavior-ingest": { url, headers: { Authorization: "Bearer ${env:BEHAVIOR_INGEST_KEY}" } } },
    }),
  ],
  [
    "VS Code",
    "in .vscode/mcp.json",
    json({
      servers: { "behavior-ingest": { type: "http", url, headers: { Authorization: "Bearer ${input:key}" } } },
      inputs: [{ type: "promptString", id: "key", description: "Behavior Ingest key", password: true }],
    }),
  ],
  [
    "Codex",
    "in ~/.codex/config.toml",
    `[mcp_servers.behavior-ingest]\nurl = "${url}"\nbearer_token_env_var = "BEHAVIOR_INGEST_KEY"`,
  ],
  [
    "Claude API",
    "in a request with the header anthropic-beta: mcp-client-2025-11-20",
    json({
      mcp_servers: [{ type: "url", name: "behavior-ingest", url, authorization_token: "YOUR_KEY" }],
      tools: [{ type: "mcp_toolset", mcp_server_name: "behavior-ingest" }],
    }),
  ],
  [
    "OpenAI API",
    "in a request to /v1/responses",
    json({
      tools: [{ type: "mcp", server_label: "behavior-ingest", server_url: url, authorization: "YOUR_KEY" }],
    }),
  ],
];

const json = (value: object): string => JSON.stringify(value, null, 2);

export const AgentsCard: FC<{ origin: string }> = ({ origin }) => (
  <Card
    title="Agents"
    lead="Claude Desktop, claude.ai and ChatGPT connect by OAuth, which this service doesn’t have: ask a developer to use one of the tools below."
  >
    <p>
      Agents can ask questions, read accounts and the inbox, and mark items. Create a key for each, with the scopes
      “ask” and “read”; “inbox” lets it dismiss and snooze items. Put it in the variable{" "}
      <code>BEHAVIOR_INGEST_KEY</code>.
    </p>
    {snippetsFor(`${origin}/mcp`).map(([agent, place, snippet]) => (
      <details>
        <summary>
          {agent} <span class="note">{place}</span>
        </summary>
        <Snippet text={snippet} label={`Setting: ${agent}`} />
      </details>
    ))}
  </Card>
);
