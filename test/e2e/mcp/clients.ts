/** The protocol's official clients, as agents have them: the current one, pinned and by default, and the first one. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";

interface ListedTool {
  name: string;
  inputSchema: { properties?: Record<string, unknown> | undefined };
  outputSchema?: object | undefined;
}

/** What the clients have in common. */
export interface Agent {
  /** The revision that the client and the server agreed on. */
  revision: string | undefined;
  listTools: () => Promise<{ tools: ListedTool[] }>;
  /** Checks structured content by the tool's `outputSchema`, and throws if it doesn't match. */
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<ToolResult>;
  close: () => Promise<void>;
}

const Result = z.looseObject({
  content: z.array(z.looseObject({ text: z.string() })).length(1),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});

export type ToolResult = z.infer<typeof Result>;

const INFO = { name: "test", version: "1" };

const urlOf = (url: string) => new URL(`${url}/mcp`);
const withKey = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } });

async function current(url: string, key: string, options: ConstructorParameters<typeof Client>[1]): Promise<Agent> {
  const client = new Client(INFO, options);
  await client.connect(new StreamableHTTPClientTransport(urlOf(url), withKey(key)));
  return {
    revision: client.getNegotiatedProtocolVersion(),
    listTools: () => client.listTools(),
    callTool: async (call) => Result.parse(await client.callTool(call)),
    close: () => client.close(),
  };
}

async function first(url: string, key: string): Promise<Agent> {
  const client = new FirstClient(INFO);
  const transport = new FirstTransport(urlOf(url), withKey(key));
  await client.connect(transport);
  return {
    revision: transport.protocolVersion,
    listTools: () => client.listTools(),
    callTool: async (call) => Result.parse(await client.callTool(call)),
    close: () => client.close(),
  };
}

export const CLIENTS: { client: string; revision: string; connect: (url: string, key: string) => Promise<Agent> }[] = [
  {
    client: "@modelcontextprotocol/client 2.4.0, pinned",
    revision: "2026-07-28",
    connect: (url, key) => current(url, key, { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
  },
  {
    client: "@modelcontextprotocol/client 2.4.0",
    revision: "2025-11-25",
    connect: (url, key) => current(url, key, {}),
  },
  { client: "@modelcontextprotocol/sdk 1.32.2", revision: "2025-11-25", connect: first },
];
