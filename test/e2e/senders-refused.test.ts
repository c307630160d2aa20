/**
 * Shows what each client library does when the service refuses its messages: docs/senders.md promises it to users.
 * Each library runs in a process of its own, since some end theirs.
 */
import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { PROJECT_ROOT } from "../harness/project-root.ts";

const SCRIPT = join(PROJECT_ROOT, "test/e2e/senders/send-one.ts");
const ALWAYS = Number.POSITIVE_INFINITY;

let server: Server;
afterEach(() => {
  server.close();
});

interface Ended {
  requests: number;
  exitCode: number | null;
  printed: string[];
}

/** Sends one message to a service that answers the first `refusals` requests with 429. */
async function sendOne(library: string, refusals: number, ...options: string[]): Promise<Ended> {
  let requests = 0;
  server = createServer((request, response) => {
    requests += 1;
    request.resume().on("end", () => {
      if (requests <= refusals) response.writeHead(429, { "retry-after": "1" });
      response.end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : address;
  const child = execFile(process.execPath, [SCRIPT, library, `http://127.0.0.1:${port}`, ...options]);
  let printed = "";
  child.stdout?.on("data", (text) => (printed += text));
  await once(child, "close");
  return { requests, exitCode: child.exitCode, printed: printed.trim().split("\n") };
}

describe("@segment/analytics-node 3", () => {
  it("waits as long as Retry-After says and delivers the message", async () => {
    expect(await sendOne("segment-3", 6)).toEqual({ requests: 7, exitCode: 0, printed: ["delivered"] });
  });
});

describe("@segment/analytics-node 2", () => {
  it("drops the message after four attempts", async () => {
    expect(await sendOne("segment-2", ALWAYS)).toEqual({ requests: 4, exitCode: 0, printed: ["not delivered"] });
  });
});

describe.each(["analytics-node-6", "rudder"])("%s", (library) => {
  it("ends the process after four attempts when it has no error handler", async () => {
    expect(await sendOne(library, ALWAYS)).toMatchObject({ requests: 4, exitCode: 1 });
  });

  it("drops the message after four attempts when it has an error handler", async () => {
    const ended = await sendOne(library, ALWAYS, "handled");
    expect(ended).toEqual({ requests: 4, exitCode: 0, printed: ["not delivered"] });
  });
});
