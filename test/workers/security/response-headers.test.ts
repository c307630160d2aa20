/** What stands on every answer, so that nothing takes it for what it is not and nobody keeps it. */
import { beforeAll, expect, it } from "vitest";

import { D1_BROKEN, D1_OVERLOADED, databaseWith, envWith, failing, sendWith } from "../support/faulty-env.ts";
import { capture } from "../support/messages.ts";
import { type Answer, send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const whereD1 = (message: string): Promise<Answer> => {
  const { DB } = databaseWith(failing(message));
  return sendWith(envWith({ DB }), "GET", "/readyz");
};

it.each<[what: string, make: () => Promise<Answer>]>([
  ["a write", () => workspace.post("/api/v1/events", capture())],
  ["a read", () => workspace.get("/api/v1/events")],
  ["a preflight", () => send("OPTIONS", "/api/v1/cdp")],
  ["administration", () => admin("GET", "/workspaces?limit=1")],
  ["HEAD", () => send("HEAD", "/healthz")],
  ["400", () => workspace.post("/api/v1/events", "{")],
  ["401", () => send("GET", "/api/v1/events")],
  ["404", () => send("GET", "/nothing")],
  ["405", () => send("DELETE", "/api/v1/cdp")],
  ["500", () => whereD1(D1_BROKEN)],
  ["503", () => whereD1(D1_OVERLOADED)],
])("§8 %s is data of its own type, and no cache keeps it", async (_what, make) => {
  const { headers } = await make();
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Cache-Control")).toBe("no-store");
});
