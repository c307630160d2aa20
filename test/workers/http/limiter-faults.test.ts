/** Section 8: the responses when the limiter fails. The faults are the platform's; the limiter is real. */
import { beforeEach, describe, expect, it } from "vitest";

import { envWith, limiterWith, objectError, sendWith, type Trip } from "../support/faulty-env.ts";
import { capture, track } from "../support/messages.ts";
import { refusal } from "../support/send.ts";
import { ADMIN_HEADERS, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await newWorkspace();
});

async function postWith(trip: Trip, path = "/api/v1/cdp", body: unknown = track()) {
  const limiter = limiterWith(trip);
  const init = { headers: { Authorization: `Bearer ${workspace.key}` } };
  const answer = await sendWith(envWith({ WRITE_LIMITER: limiter.WRITE_LIMITER }), "POST", path, body, init);
  return { ...answer, calls: limiter.calls(), stubs: limiter.stubs() };
}

const always = (error: Error): Trip => {
  return async () => {
    throw error;
  };
};
const once = (error: Error): Trip => {
  return async (run, number) => {
    if (number === 1) throw error;
    return run();
  };
};

const LOST = objectError("Network connection lost: very_secret_detail.", { retryable: true });
const OVERLOADED = objectError("Durable Object is overloaded: very_secret_detail.", { overloaded: true });
const RESET = objectError("Durable Object reset because its code was updated: very_secret_detail.", {});

describe("§7 §8 when the limiter fails", () => {
  it.each([OVERLOADED, LOST, RESET])("§8 %s: the response is 503 without the detail", async (error) => {
    for (const [path, body] of [
      ["/api/v1/cdp", track()],
      ["/api/v1/events", capture()],
    ] as const) {
      const answer = await postWith(always(error), path, body);
      expect(answer).toMatchObject(refusal(503, "unavailable"));
      expect(answer.text).not.toMatch(/secret|Durable|connection/);
    }
  });

  it("§8 it is called again once if the error is retryable, on a new stub", async () => {
    const answer = await postWith(once(LOST));
    expect(answer).toMatchObject({ status: 200, calls: 2, stubs: 2, body: { stored: 1 } });
  });

  it("§8 reads go on", async () => {
    const { WRITE_LIMITER, calls } = limiterWith(always(LOST));
    const init = { headers: { Authorization: `Bearer ${workspace.key}` } };
    expect((await sendWith(envWith({ WRITE_LIMITER }), "GET", "/api/v1/events", undefined, init)).status).toBe(200);
    expect(calls()).toBe(0);
  });

  it.each([
    ["PATCH", "/admin/workspaces/ID", { writeLimit: 5 }],
    ["DELETE", "/admin/workspaces/ID/keys/KEY", undefined],
    ["DELETE", "/admin/workspaces/ID", undefined],
  ])("§8 §9 %s %s is 503, and succeeds when repeated", async (method, path, body) => {
    const target = path.replace("ID", workspace.id).replace("KEY", workspace.keyId);
    const { WRITE_LIMITER } = limiterWith(always(RESET));
    const init = { headers: ADMIN_HEADERS };
    expect((await sendWith(envWith({ WRITE_LIMITER }), method, target, body, init)).status).toBe(503);
    expect((await sendWith(envWith({}), method, target, body, init)).status).toBe(200);
  });
});
