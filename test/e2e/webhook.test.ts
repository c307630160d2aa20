/** Requests as Segment's webhook destination makes them: messages that Segment has already received and corrected. */
import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Service, startService, type Workspace } from "../harness/service.ts";
import { Reader, storedMessages } from "./senders/stored.ts";

const HOUR_MS = 3_600_000;

const hoursAgo = (hours: number, now = Date.now()): string => new Date(now - hours * HOUR_MS).toISOString();

/**
 * A message as Segment forwards it. It was made 5 hours ago on a machine whose clock is an hour fast, was buffered
 * there, and reached Segment 3 hours ago; `timestamp` is Segment's correction of all that.
 */
function forwarded(message: Record<string, unknown>) {
  const now = Date.now();
  return {
    version: 2,
    channel: "server",
    projectId: "2Nx3bFqDgYc",
    integrations: {},
    context: {
      ip: "203.0.113.9",
      userAgent: "Mozilla/5.0",
      library: { name: "unknown", version: "unknown" },
      ...(typeof message["groupId"] === "string" ? {} : { groupId: "acme" }),
    },
    messageId: `segment-${randomUUID()}`,
    anonymousId: randomUUID(),
    timestamp: hoursAgo(5, now),
    originalTimestamp: hoursAgo(4, now),
    sentAt: hoursAgo(2, now),
    receivedAt: hoursAgo(3, now),
    userId: "u1",
    ...message,
  };
}

const exported = () => forwarded({ type: "track", event: "Report Exported", properties: { format: "pdf" } });

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

function post(key: string, body: unknown, path = "/api/v1/cdp"): Promise<Response> {
  return fetch(service.url + path, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
      "content-type": "application/json",
      "user-agent": "Segment (webhooks)",
    },
    body: JSON.stringify(body),
  });
}

async function open(): Promise<{ workspace: Workspace; reader: Reader }> {
  const workspace = await service.createWorkspace();
  return { workspace, reader: new Reader(service, workspace) };
}

describe.each([
  { form: "a single message", wrap: (messages: object[]) => messages[0], count: 1 },
  { form: "a bare array", wrap: (messages: object[]) => messages, count: 3 },
  { form: "an array of wrapped messages", wrap: (messages: object[]) => messages.map((json) => ({ json })), count: 3 },
])("$form from Segment's webhook destination", ({ wrap, count }) => {
  it("is stored with the time that Segment gave it, however late it comes", async () => {
    const { workspace, reader } = await open();
    const messages = Array.from({ length: count }, exported);

    const response = await post(workspace.key, wrap(messages));

    expect(response.status).toBe(200);
    expect(response.headers.get("x-request-id")).toMatch(/./);
    expect(response.headers.get("ratelimit-policy")).toBe('"writes";q=100;w=10');
    expect(await response.json()).toMatchObject({
      ok: true,
      deduped: false,
      source: "cdp",
      account: { externalId: "acme" },
      user: { externalId: "u1" },
      stored: count,
      duplicates: 0,
      rejected: [],
    });
    const events = (await reader.events()).map(({ messageId, name, account, user, occurredAt }) => {
      return { messageId, name, account: account?.externalId, user: user?.externalId, occurredAt };
    });
    expect(events.toReversed()).toEqual(
      messages.map(({ messageId, timestamp }) => {
        return { messageId, name: "report.exported", account: "acme", user: "u1", occurredAt: timestamp };
      }),
    );
  });

  it("is a duplicate when Segment delivers it again", async () => {
    const { workspace, reader } = await open();
    const body = wrap(Array.from({ length: count }, exported));
    await post(workspace.key, body);

    const again = await post(workspace.key, body);

    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({
      deduped: true,
      stored: 0,
      duplicates: count,
      account: { externalId: "acme" },
      user: { externalId: "u1" },
    });
    expect(await reader.events()).toHaveLength(count);
  });
});

describe("A forwarded stream", () => {
  it("groups and identifies its users, and passes over what is no behaviour", async () => {
    const { workspace, reader } = await open();
    const group = forwarded({ type: "group", groupId: "globex", traits: { plan: "pro", name: "Globex Ltd" } });
    const identify = forwarded({ type: "identify", traits: { role: "admin", email: "u1@globex.example" } });
    const page = forwarded({ type: "page", name: "Pricing", properties: { url: "https://example.com/pricing" } });

    const response = await post(workspace.key, [group, identify, page]);

    expect(await response.json()).toMatchObject({
      stored: 2,
      rejected: [{ index: 2, messageId: page.messageId, code: "unsupported_type" }],
      redacted: [
        { index: 0, messageId: group.messageId, paths: ["traits.name"] },
        { index: 1, messageId: identify.messageId, paths: ["traits.email"] },
      ],
    });
    expect(await storedMessages(service, workspace)).toBe(2);
    const globex = expect.objectContaining({ externalId: "globex", kind: "company" });
    expect(await reader.user("u1")).toEqual({
      account: globex,
      memberships: [{ account: globex, groupedAt: group.timestamp }],
      traits: { role: "admin" },
    });
  });

  it("is refused with a key that is no longer good, and nothing of it is stored", async () => {
    const { workspace, reader } = await open();
    const made = await service.admin("POST", `/admin/workspaces/${workspace.id}/keys`, { scopes: ["ingest"] });
    const { key }: { key: { id: string; key: string } } = JSON.parse(await made.text());
    expect((await post(key.key, [exported()])).status).toBe(200);
    await service.admin("DELETE", `/admin/workspaces/${workspace.id}/keys/${key.id}`);

    const response = await post(key.key, [exported()]);

    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    const requestId = response.headers.get("x-request-id");
    expect(await response.json()).toEqual({
      ok: false,
      error: { code: "unauthorized", message: expect.any(String), requestId },
    });
    expect(await reader.events()).toHaveLength(1);
  });
});
