/**
 * Records what the client libraries in devDependencies send, into recorded.json beside this file:
 *
 *     node test/fuzz/seeds/record.ts
 *     node_modules/.bin/oxfmt test/fuzz/seeds
 *
 * Recorded once and kept, not at the start of each run: the libraries write times and random ids of their own, and a
 * case has to be the same whenever it is played again. Run it again after a library was updated.
 */
// It declares a module, and is none that could be imported.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../../test/e2e/senders/analytics-node.d.ts" />
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

import { freePort } from "../../harness/free-port.ts";
import { analyticsNode, rudder } from "../../e2e/senders/legacy.ts";
import { segment2, segment3 } from "../../e2e/senders/segment.ts";
import type { SenderOptions } from "../../e2e/senders/sender.ts";
import type { Recorded } from "./recorded.ts";
import { WRITE_KEY } from "./write-key.ts";

const LIBRARIES = { segment3, segment2, analyticsNode, rudder };
/** Of the connection, not of the library. */
const LEFT_OUT = /^(?:host|connection|content-length|transfer-encoding|content-encoding|accept-encoding)$/i;

const recorded: Recorded[] = [];
let library = "";
const server = createServer((request, response) => void take(request, response));
const port = await freePort();
server.listen(port, "127.0.0.1");

for (const [name, open] of Object.entries(LIBRARIES)) {
  library = name;
  for (const flushAt of [4, 1]) await sendAll(open({ url: `http://127.0.0.1:${port}`, writeKey: WRITE_KEY, flushAt }));
}
server.close();
await writeFile(fileURLToPath(new URL("recorded.json", import.meta.url)), `${JSON.stringify(recorded, null, 2)}\n`);
console.log(`${recorded.length} requests of ${Object.keys(LIBRARIES).length} libraries are recorded.`);
// Some of the libraries keep timers.
process.exit();

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  recorded.push(await record(request));
  response.setHeader("Content-Type", "application/json").end('{"ok":true}');
}

async function record(request: IncomingMessage): Promise<Recorded> {
  const body = await buffer(request);
  const gzipped = request.headers["content-encoding"] === "gzip";
  const headers = request.rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 && !LEFT_OUT.test(name) ? [[name, request.rawHeaders[index + 1] ?? ""]] : [],
  );
  const sent: unknown = JSON.parse((gzipped ? gunzipSync(body) : body).toString());
  return { library, method: request.method ?? "", target: request.url ?? "", headers, gzipped, body: sent };
}

async function sendAll(sender: ReturnType<(options: SenderOptions) => ReturnType<typeof segment3>>): Promise<void> {
  const timestamp = new Date("2026-11-02T09:30:00.250Z");
  sender.group({ userId: "u1", groupId: "acme", traits: { plan: "pro", seats: 25, name: "Acme Corp" }, timestamp });
  sender.identify({ userId: "u1", traits: { role: "admin", email: "u1@acme.example", mrr: "490" }, timestamp });
  const properties = { format: "pdf", pages: 12, accountId: "acme" };
  sender.track({ userId: "u1", event: "Report Exported", properties, timestamp });
  sender.track({ userId: "u2", event: "seatAdded", properties: { n: 1 }, context: { groupId: "globex" }, timestamp });
  sender.page({ userId: "u1", timestamp });
  await sender.flush();
}
