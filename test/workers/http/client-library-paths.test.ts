/** Section 1: paths of client libraries that name a message type; section 4.5: what they send by themselves. */
import { describe, expect, it } from "vitest";

import { type Fields, track } from "../support/messages.ts";
import { newWorkspace } from "../support/workspace.ts";

const USER = { userId: "u1", messageId: "m1" };
const SUPPORTED: [path: string, type: string, message: Fields][] = [
  ["/v1/track", "track", { ...USER, event: "Report Exported" }],
  ["/v1/t", "track", { ...USER, event: "Report Exported" }],
  ["/v1/identify", "identify", { ...USER, traits: { role: "admin" } }],
  ["/v1/i", "identify", { ...USER, traits: { role: "admin" } }],
  ["/v1/group", "group", { ...USER, groupId: "acme" }],
  ["/v1/g", "group", { ...USER, groupId: "acme" }],
];
const UNSUPPORTED: [path: string, type: string][] = [
  ["/v1/page", "page"],
  ["/v1/p", "page"],
  ["/v1/screen", "screen"],
  ["/v1/s", "screen"],
  ["/v1/alias", "alias"],
  ["/v1/a", "alias"],
];
const OTHERS = ["/api/v1/cdp", "/api/cdp", "/v1/batch", "/v1/b"];

describe("§1 a path that names a supported type", () => {
  it.each(SUPPORTED)("§1 POST %s supplies a missing type %s", async (path, _, message) => {
    const { post } = await newWorkspace();
    expect(await post(path, message)).toMatchObject({ status: 200, body: { ok: true, stored: 1, rejected: [] } });
  });

  it.each(SUPPORTED)("§1 POST %s takes its own type %s", async (path, type, message) => {
    const { post } = await newWorkspace();
    expect(await post(path, { type, ...message })).toMatchObject({ status: 200, body: { stored: 1 } });
  });

  it.each(SUPPORTED)("§1 POST %s refuses a contradicting type", async (path, type, message) => {
    const { post } = await newWorkspace();
    const other = type === "track" ? "identify" : "track";
    expect(await post(path, { ...message, type: other, event: "x", groupId: "acme" })).toMatchObject({
      status: 400,
      body: { ok: false, error: { code: "invalid_message", issues: [{ path: "type" }] } },
    });
  });

  it.each(SUPPORTED)("§1 POST %s does so for each message of a batch", async (path, type, message) => {
    const { post } = await newWorkspace();
    const other = type === "track" ? "identify" : "track";
    const batch = [
      message,
      { ...message, messageId: "m2", type: other, event: "x" },
      { ...message, messageId: "m3", type },
    ];
    expect(await post(path, { batch })).toMatchObject({
      status: 200,
      body: { stored: 2, rejected: [{ index: 1, messageId: "m2", code: "invalid_message", path: "type" }] },
    });
  });

  it("§1 what came by /v1/track without a type is listed as an event", async () => {
    const { post, get } = await newWorkspace();
    await post("/v1/track", { ...USER, event: "Report Exported" });
    expect((await get("/api/v1/events")).body.events).toMatchObject([
      { messageId: "m1", name: "report.exported", source: "cdp" },
    ]);
  });
});

describe("§1 §4.5 page, screen and alias alone", () => {
  it.each(UNSUPPORTED)("§1 §4.5 POST %s of a %s without a type is 200, listed in rejected", async (path) => {
    const { post } = await newWorkspace();
    expect(await post(path, USER)).toMatchObject({
      status: 200,
      body: { ok: true, stored: 0, duplicates: 0, rejected: [{ index: 0, messageId: "m1", code: "unsupported_type" }] },
    });
  });

  it.each(UNSUPPORTED)("§1 §4.5 POST %s of a %s with its type is 200, listed in rejected", async (path, type) => {
    const { post } = await newWorkspace();
    const answer = await post(path, { ...USER, type });
    expect(answer).toMatchObject({ status: 200, body: { stored: 0, rejected: [{ code: "unsupported_type" }] } });
  });

  it.each(OTHERS.flatMap((path) => ["page", "screen", "alias"].map((type) => [type, path] as const)))(
    "§4.5 a lone %s at %s is 200, listed in rejected",
    async (type, path) => {
      const { post } = await newWorkspace();
      const answer = await post(path, { ...USER, type });
      expect(answer).toMatchObject({
        status: 200,
        body: { account: null, user: null, rejected: [{ code: "unsupported_type" }] },
      });
    },
  );

  it.each(UNSUPPORTED)("§1 POST %s of a track contradicts the path: 400", async (path) => {
    const { post } = await newWorkspace();
    expect(await post(path, track())).toMatchObject({ status: 400, body: { error: { code: "invalid_message" } } });
  });
});

describe("§4.5 any other lone message without a supported type", () => {
  it.each([["delete"], ["Track"], ["x".repeat(500)], [""], [5], [{}], [null], [undefined]])(
    "§4.5 a lone message of type %j is 400 invalid_message",
    async (type) => {
      const { post } = await newWorkspace();
      expect(await post("/api/v1/cdp", track({ type }))).toMatchObject({
        status: 400,
        body: { error: { code: "invalid_message" } },
      });
    },
  );

  it("§4.2 page, screen, alias and delete never fail a batch", async () => {
    const { post } = await newWorkspace();
    const batch = [...["page", "screen", "alias", "delete", "x"].map((type) => ({ ...USER, type })), track()];
    const { status, body } = await post("/v1/batch", { batch });
    expect(status).toBe(200);
    expect(body).toMatchObject({ stored: 1, duplicates: 0 });
    expect(body.rejected?.map(({ index, code }) => [index, code])).toEqual(
      [0, 1, 2, 3, 4].map((index) => [index, "unsupported_type"]),
    );
  });
});
