/** Section 8: a sender who goes away in the middle of a body is no fault of the service's. */
import { beforeAll, describe, expect, it } from "vitest";

import { asReceived } from "../support/bytes.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { utf8 } from "../support/messages.ts";
import { ADMIN_HEADERS, admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
  await admin("PUT", `/workspaces/${workspace.id}/dpa`, { acceptedBy: "Jo Doe", version: "1" });
});

/** Begins as JSON, and then fails, as a body does whose connection is lost or whose chunks are broken. */
function brokenBody(): ReadableStream<Uint8Array> {
  const chunks = [utf8('{"question":'), utf8('"How many')];
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.error(new Error("the connection is lost"));
      else controller.enqueue(chunk);
    },
  });
  return asReceived(stream);
}

describe("§8 a body that breaks off", () => {
  it.each([
    ["POST", "/api/v1/ask"],
    ["POST", "/api/v1/identity"],
    ["POST", "/api/v1/inbox/itm_000000000000000000000000/snooze"],
    ["POST", "/api/v1/events"],
    ["POST", "/api/v1/cdp"],
    ["POST", "/admin/workspaces"],
    ["PATCH", "/admin/workspaces/ID"],
    ["PUT", "/admin/workspaces/ID/dpa"],
  ])("§8 of %s %s is 400 invalid_json", async (method, path) => {
    const own = path.startsWith("/admin/") ? ADMIN_HEADERS : { Authorization: `Bearer ${workspace.key}` };
    const headers = { ...own, "Content-Type": "application/json" };
    const answer = await sendWith(envWith({}), method, path.replace("ID", workspace.id), brokenBody(), { headers });
    expect(answer).toMatchObject({ status: 400, body: { ok: false, error: { code: "invalid_json" } } });
  });
});
