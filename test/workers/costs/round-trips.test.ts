/** The round trips of a request. */
import { describe, expect, it } from "vitest";

import { newApiKey } from "../../../src/core/api-key.ts";
import { capture, message, messages, newMeter } from "./meter.ts";

const ONE_EACH = { trips: 1, objectCalls: 1 };

describe("a request with a cached key", () => {
  it.each([1, 2, 100, 1_000])(
    "§4.5 costs one round trip to D1 and one call of the object for %i messages",
    async (count) => {
      const { post } = await newMeter();
      expect(await post("/api/v1/cdp", messages(count, "track"))).toMatchObject(ONE_EACH);
      expect(
        await post("/api/v1/cdp", { batch: messages(count, "track", (place) => ({ userId: `u${place}` })) }),
      ).toMatchObject(ONE_EACH);
    },
  );

  it("costs that for messages of all types, new and known, duplicate and invalid", async () => {
    const { post } = await newMeter();
    const all = [
      message("identify", { traits: { role: "admin", accountPlan: "pro" } }),
      message("group", { groupId: "acme", traits: { plan: "pro", sector: "rail" } }),
      message("track"),
      message("track", { accountId: "globex", accountSeats: 5 }),
      message("track", { event: "" }),
      message("page"),
    ];
    for (let round = 0; round < 3; round += 1) {
      expect(await post("/api/v1/cdp", { batch: all })).toMatchObject(ONE_EACH);
    }
    for (const one of all.slice(0, 4)) expect(await post("/v1/batch", one)).toMatchObject(ONE_EACH);
  });

  it("costs that for a native capture: new, known, with attributes and repeated", async () => {
    const { post } = await newMeter();
    for (const fields of [{}, {}, { accountPlan: "pro" }, { userId: "u2" }]) {
      expect(await post("/api/v1/events", capture(fields))).toMatchObject(ONE_EACH);
    }
    const key = { "Idempotency-Key": "key-1" };
    for (let round = 0; round < 2; round += 1) {
      expect(await post("/api/v1/events", capture(), key)).toMatchObject(ONE_EACH);
    }
  });

  it("§1 costs one round trip for the first page of events", async () => {
    const { request } = await newMeter();
    expect(await request("GET", "/api/v1/events")).toMatchObject({ status: 200, trips: 1, objectCalls: 0 });
  });

  it.each([
    ["5", 400],
    ['{"batch":[]}', 200],
    ["[]", 200],
  ])("costs one call of the object and no round trip for %s, which has no messages", async (body, status) => {
    const { request } = await newMeter();
    expect(await request("POST", "/api/v1/cdp", body)).toMatchObject({ status, trips: 0, objectCalls: 1 });
  });

  it.each([
    ["/api/v1/cdp", message("track", { event: "" })],
    ["/api/v1/events", { event: "x" }],
  ])("costs one round trip and one call for a lone message that %s rejects", async (path, body) => {
    const { request } = await newMeter();
    expect(await request("POST", path, body)).toMatchObject({ status: 400, ...ONE_EACH });
  });

  it.each([
    ["broken JSON", '{"batch":', 400],
    ["1,001 messages", JSON.stringify(Array.from({ length: 1_001 }, () => ({ type: "page" }))), 413],
    ["a body that is too large", " ".repeat(512 * 1024 + 1), 413],
  ])("costs nothing at all for %s", async (_, body, status) => {
    const { request } = await newMeter();
    expect(await request("POST", "/api/v1/cdp", body)).toMatchObject({ status, trips: 0, objectCalls: 0 });
  });
});

describe("a key that is not cached", () => {
  it("costs one lookup more the first time, and one write of its last use each day", async () => {
    const { request, workspace } = await newMeter();
    const { key } = await workspace.newKey(["ingest"]);
    const headers = { Authorization: `Bearer ${key}` };
    expect(await request("POST", "/api/v1/cdp", message("track"), headers)).toMatchObject({ trips: 3, objectCalls: 1 });
    expect(await request("POST", "/api/v1/cdp", message("track"), headers)).toMatchObject(ONE_EACH);
  });

  it("§2 costs nothing if it is junk, and one lookup if it is unknown", async () => {
    const { request } = await newMeter();
    const junk = { Authorization: "Bearer bik_000000000000000000000000000000" };
    expect(await request("POST", "/api/v1/cdp", message("track"), junk)).toMatchObject({
      status: 401,
      trips: 0,
      objectCalls: 0,
    });
    const unknown = { Authorization: `Bearer ${newApiKey((count) => crypto.getRandomValues(new Uint8Array(count)))}` };
    const refused = await request("POST", "/api/v1/cdp", message("track"), unknown);
    expect(refused).toMatchObject({ status: 401, trips: 1, objectCalls: 0 });
    expect(refused.statements.map(({ read }) => read)).toEqual([0]);
  });
});
