/**
 * Receives notifications over HTTP on loopback, and misbehaves as it is told. Vitest runs the default export once, before the
 * tests that run in workerd: these can't listen themselves, and control the receiver by requests.
 *
 * - `POST /<inbox>`: answers with the inbox's next answer, by default 200, and keeps the request;
 * - `PUT /<inbox>`: sets the next answers;
 * - `GET /<inbox>`: returns the kept requests.
 */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import { json, text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";

import { freePort } from "./free-port.ts";

declare module "vitest" {
  interface ProvidedContext {
    receiver: string;
  }
}

/** `silence`: never answers. `hang_up`: closes the connection. `drip`: answers 200 with a body that doesn't end. */
export type ReceiverAnswer =
  | number
  | "silence"
  | "hang_up"
  | "drip"
  | { status: number; headers: Record<string, string> };

export interface ReceivedRequest {
  headers: Record<string, string>;
  body: string;
}

const asText = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

function answerWith(answer: ReceiverAnswer, response: ServerResponse): void {
  if (answer === "silence") return;
  if (answer === "hang_up") {
    response.destroy();
    return;
  }
  if (answer === "drip") {
    response.writeHead(200, { "content-type": "text/plain" });
    const drops = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(drops));
    return;
  }
  const { status, headers } = typeof answer === "number" ? { status: answer, headers: {} } : answer;
  response.writeHead(status, headers);
  response.end("An answer that names Ann <ann@example.com>");
}

/** @returns the server, and its URL without a path */
export async function startReceiver(): Promise<{ server: Server; url: string }> {
  const answers = new Map<string, ReceiverAnswer[]>();
  const kept = new Map<string, ReceivedRequest[]>();
  const server = createServer((request, response) => {
    const inbox = request.url ?? "";
    const handle = async (): Promise<void> => {
      if (request.method === "PUT") {
        const given: unknown = await json(request);
        answers.set(inbox, Array.isArray(given) ? given : []);
        response.end();
      } else if (request.method === "GET") {
        response.end(JSON.stringify(kept.get(inbox) ?? []));
      } else {
        const body = await text(request);
        kept.set(inbox, [...(kept.get(inbox) ?? []), { headers: asText(request.headers), body }]);
        answerWith(answers.get(inbox)?.shift() ?? 200, response);
      }
    };
    handle().catch(() => response.destroy());
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${port}` };
}

export default async function setUp(project: TestProject): Promise<() => void> {
  const { server, url } = await startReceiver();
  project.provide("receiver", url);
  return () => {
    server.closeAllConnections();
    server.close();
  };
}
