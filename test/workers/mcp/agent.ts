/** Sends requests of the protocol to `/mcp`, as clients of the revisions 2026-07-28 and 2025-11-25 do. */
import * as z from "zod";

import { type Answer, send } from "../support/send.ts";

export const ACCEPT = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };

const Body = z.looseObject({
  ok: z.boolean(),
  code: z.string().optional(),
  issues: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
});
const List = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      inputSchema: z.unknown(),
      annotations: z.record(z.string(), z.boolean()),
    }),
  ),
});
const Result = z.object({
  content: z.array(z.object({ text: z.string() })).length(1),
  structuredContent: Body.optional(),
  isError: z.boolean().default(false),
});

/** What a call returned: its data, or its error. */
export interface Called {
  isError: boolean;
  /** Of the whole response, with the protocol's envelope. */
  bytes: number;
  body: z.infer<typeof Body>;
}

/** @param headers replace those of an agent with the key */
export async function post(
  key: string,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } };
  const name = typeof params["name"] === "string" ? { "Mcp-Name": params["name"] } : {};
  const standard = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, ...name };
  return send("POST", "/mcp", body, {
    headers: { ...ACCEPT, ...standard, Authorization: `Bearer ${key}`, ...headers },
  });
}

export async function listTools(key: string) {
  return List.parse((await post(key, "tools/list")).body["result"]).tools;
}

export async function callTool(key: string, name: string, given: object = {}): Promise<Called> {
  const { body, text } = await post(key, "tools/call", { name, arguments: given });
  const { isError, content, structuredContent } = Result.parse(body["result"]);
  const data = isError ? Body.parse(JSON.parse(content[0]?.text ?? "")) : structuredContent;
  if (data === undefined) throw new Error(`${name} returned no structured content`);
  return { isError, bytes: new TextEncoder().encode(text).length, body: data };
}
