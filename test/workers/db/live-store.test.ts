/** The newest messages and rejections of a workspace, for the live view. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { explainMapping } from "../../../src/core/ingest/explain-mapping.ts";
import { ownRange } from "../../../src/db/client/database.ts";
import { readNewestArrivals } from "../../../src/db/events/arrivals.ts";
import { fullScans } from "../costs/full-scans.ts";
import { messages, newMeter } from "../costs/meter.ts";
import { group, identify, newSender, track } from "../ingest/sender.ts";
import { send } from "../support/send.ts";

async function watched(limit = 50) {
  const sender = await newSender();
  const ref = await sender.workspace.ref();
  const look = () => readNewestArrivals(env, ref, limit);
  return { ref, sender, look };
}

describe("the newest arrivals", () => {
  it("are messages of all types with their mapping, newest first", async () => {
    const { sender, look } = await watched();
    await sender.send(
      identify({ messageId: "m1", traits: { role: "admin" } }),
      group("acme", { messageId: "m2" }),
      track({ messageId: "m3", event: "Report Exported", properties: { pages: 2, email: "jo@acme.example" } }),
    );
    await sender.capture({ userId: "u2" }, "m4");
    const { messages: arrived } = await look();
    const company = { id: expect.stringMatching(/^acc_/), externalId: "acme", kind: "company" };
    const time = { occurredAt: Date.UTC(2026, 0, 1), receivedAt: expect.any(Number) };
    const seq = expect.any(Number);
    const user = { id: expect.stringMatching(/^usr_/), externalId: "u1" };
    const ofCdp = { seq, source: "cdp", account: company, user, properties: null, event: null, ...time };
    expect(arrived).toEqual([
      {
        ...ofCdp,
        messageId: "m4",
        type: "track",
        source: "native",
        event: "report.exported",
        user: { ...user, externalId: "u2" },
        occurredAt: arrived[0]?.receivedAt,
        mapping: { accountField: "accountId" },
      },
      {
        ...ofCdp,
        messageId: "m3",
        type: "track",
        event: "report.exported",
        properties: { pages: 2 },
        mapping: { sentName: "Report Exported", timeField: "timestamp" },
      },
      { ...ofCdp, messageId: "m2", type: "group", mapping: { accountField: "groupId", timeField: "timestamp" } },
      { ...ofCdp, messageId: "m1", type: "identify", account: null, mapping: { timeField: "timestamp" } },
    ]);
    expect(arrived.map((one) => explainMapping(one).account)).toEqual([
      "acme: named by accountId",
      "acme: the user's account at that time",
      "acme: named by groupId",
      "none: the user had no account yet",
    ]);
  });

  it("§4.5 include kept rejections", async () => {
    const { sender, look } = await watched();
    await sender.send(
      track({ event: "", messageId: "m1", properties: { email: "jo@acme.example", pages: 2 } }),
      group("", { userId: "u2" }),
      { type: "page" },
    );
    const { rejections, messages: arrived } = await look();
    expect(arrived).toEqual([]);
    expect(rejections).toMatchObject([
      { code: "invalid_message", path: "groupId", userId: "u2", type: "group" },
      { code: "invalid_message", path: "event", messageId: "m1", properties: { pages: 2 }, keyId: expect.any(String) },
    ]);
    expect(rejections[0]?.reason).toMatch(/^groupId is missing/);
    expect(rejections[1]?.properties).toEqual({ pages: 2 });
  });

  it("are the newest when there are more than the limit", async () => {
    const { sender, look } = await watched(2);
    await sender.send(...["m1", "m2", "m3"].map((messageId) => track({ messageId })), track({ event: "" }));
    const { messages: arrived, rejections } = await look();
    expect(arrived.map(({ messageId }) => messageId)).toEqual(["m3", "m2"]);
    expect(rejections).toHaveLength(1);
  });

  it("§2 belong to one workspace", async () => {
    const [before, own, after] = [await watched(), await watched(), await watched()];
    for (const { sender } of [before, own, after]) await sender.send(track(), track({ event: "" }));
    const { first } = ownRange(own.ref);
    const { messages: arrived, rejections } = await own.look();
    expect([...arrived, ...rejections].map(({ seq }) => seq)).toEqual([first, first]);
  });

  it("§6.2 hide the id, the properties and the mapping of an erased user", async () => {
    const { sender, look } = await watched();
    await sender.send(track({ event: "Report Exported", properties: { pages: 2 } }), track({ userId: "u2" }));
    const headers = { Authorization: `Bearer ${sender.workspace.key}` };
    expect(await send("DELETE", "/api/v1/users/u1", undefined, { headers })).toMatchObject({ status: 200 });
    const [other, erased] = (await look()).messages;
    expect(other).toMatchObject({ user: { externalId: "u2" }, mapping: { timeField: "timestamp" } });
    expect(erased).toMatchObject({
      event: "report.exported",
      user: { externalId: null },
      account: { externalId: null, kind: "solo" },
      properties: null,
      mapping: null,
    });
  });

  it("cost one round trip, no scan and the same rows, however many are stored", async () => {
    const { workspace, env: metered, post, take } = await newMeter();
    const ref = await workspace.ref();
    const LIMIT = 20;
    const look = async () => {
      take();
      const arrivals = await readNewestArrivals(metered, ref, LIMIT);
      return { ...arrivals, cost: take() };
    };
    const more = () =>
      post("/api/v1/cdp", [
        ...messages(300, "track", (place) => ({ userId: `u${place}` })),
        ...messages(100, "track", () => ({ event: "" })),
      ]);
    await more();
    const early = await look();
    expect([early.messages.length, early.rejections.length]).toEqual([LIMIT, LIMIT]);
    expect(early.cost.trips).toBe(1);
    // A message, its account and its user; a rejection. And the workspace's state, the number of stored messages, and the last rejection code.
    expect(early.cost.read).toBeLessThanOrEqual(LIMIT * 4 + 3);
    await more();
    const late = await look();
    expect(late.cost.read).toBe(early.cost.read);
    for (const { sql, values } of late.cost.statements) expect(await fullScans(sql, values), sql).toEqual([]);
  });
});
