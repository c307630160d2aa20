/** Section 23: destinations are created, changed and deleted. test/workers/notify delivers to them. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { findWorkspace } from "../../../src/db/workspaces/find-workspace.ts";
import { newDestination } from "../../../src/edge/schemas/destination-requests.ts";
import { createDestination } from "../../../src/services/notify/destinations.ts";
import { findDestination } from "../../../src/db/destinations/destinations.ts";
import { unseal } from "../../../src/services/sealing/sealing.ts";
import { allRows } from "../support/database.ts";
import { addDestination } from "../support/destinations.ts";
import { type Answer, refusal, send } from "../support/send.ts";
import { admin, newWorkspace, type Sender, type TestWorkspace } from "../support/workspace.ts";

const PATH = "/api/v1/destinations";
const WEBHOOK = { kind: "webhook", url: "https://hooks.example.com/behavior", events: ["inbox.opened"] };
const SLACK = {
  kind: "slack",
  url: "https://hooks.slack.com/services/T000/B000/canarysecret",
  events: ["inbox.opened", "digest"],
  digest: { every: "day", at: "09:00" },
};

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await newWorkspace();
});

const call = (method: string, path: string, body?: unknown, { key }: Pick<Sender, "key"> = workspace) =>
  send(method, `${PATH}${path}`, body, {
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  });
const create = (fields: object = {}, sender?: Pick<Sender, "key">) =>
  call("POST", "", { ...WEBHOOK, ...fields }, sender);
const created = async (fields?: object) => {
  const { status, text, body } = await create(fields);
  expect(text).toContain('"ok":true');
  expect(status).toBe(201);
  return Object(body["destination"]);
};
const shown = ({ body }: Answer) => Object(body["destination"]);
const listed = async () => [(await call("GET", "")).body["destinations"]].flat().map(Object);

describe("§23 creating", () => {
  it("§23 returns the destination with its secret, which no later response has", async () => {
    const { secret, ...destination } = await created();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(destination).toMatchObject({
      ...WEBHOOK,
      filter: {},
      includeIdentity: false,
      digest: null,
      disabled: false,
    });
    expect(await listed()).toEqual([destination]);
  });

  it("§23 shows only the origin of a Slack URL, which has no secret", async () => {
    const { secret, url, nextDigestAt } = await created(SLACK);
    expect([secret, url]).toEqual([null, "https://hooks.slack.com"]);
    expect(nextDigestAt).toMatch(/T09:00:00\.000Z$/);
    const stored = JSON.stringify(await allRows());
    expect(stored).not.toContain("canarysecret");
  });

  it("§23 stores no signing secret in clear text", async () => {
    const { secret } = await created();
    const stored = JSON.stringify(await allRows());
    expect(stored).not.toContain(String(secret).slice("whsec_".length));
  });

  it("§23 sends digests at the workspace's time", async () => {
    await admin("PATCH", `/workspaces/${workspace.id}`, { timezone: "Asia/Tokyo" });
    expect((await created(SLACK)).nextDigestAt).toMatch(/T00:00:00\.000Z$/);
  });

  it("§23 refuses the 21st, also when two come at once", async () => {
    for (let count = 0; count < 19; count += 1) await created();
    const statuses = await Promise.all([create(), create()]);
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(await create()).toMatchObject(refusal(409, "too_many_destinations"));
    expect(await listed()).toHaveLength(20);
  });

  it.each<[string, object, string]>([
    ["an unknown kind", { kind: "email" }, "kind"],
    ["no event", { events: [] }, "events"],
    ["an event twice", { events: ["digest", "digest"] }, "events"],
    ["an unknown event", { events: ["inbox.closed"] }, "events.0"],
    ["http", { url: "http://hooks.example.com" }, "url"],
    ["an address", { url: "https://169.254.169.254/latest" }, "url"],
    ["no URL", { url: "hooks" }, "url"],
    ["a digest without its event", { digest: { every: "day", at: "09:00" } }, "events"],
    ["the event without a digest", { events: ["digest"] }, "digest"],
    ["a time that no day has", { ...SLACK, digest: { every: "day", at: "24:00" } }, "digest.at"],
    [
      "a weekday of a daily digest",
      { ...SLACK, digest: { every: "day", at: "09:00", weekday: "friday" } },
      "digest.weekday",
    ],
    ["an unknown severity", { filter: { minSeverity: "urgent" } }, "filter.minSeverity"],
    ["an unknown kind of items", { filter: { kinds: ["usage_dropp"] } }, "filter.kinds.0"],
    ["an unknown field", { filter: { plan: "pro" } }, "filter.plan"],
  ])("§23 refuses %s, and names the field", async (_name, fields, path) => {
    expect(await create(fields)).toMatchObject(refusal(400, "invalid_request", path));
    expect(await listed()).toEqual([]);
  });

  it("§23 needs the scope `notify`", async () => {
    const others = await workspace.newKey(["read", "inbox", "identity", "ask", "ingest"]);
    for (const [method, path] of [
      ["POST", ""],
      ["GET", ""],
      ["PATCH", "/dst_1"],
      ["DELETE", "/dst_1"],
      ["POST", "/dst_1/test"],
      ["GET", "/dst_1/attempts"],
      ["POST", "/dst_1/attempts/att_1/resend"],
    ] as const)
      expect(await call(method, path, method === "GET" ? undefined : {}, others)).toMatchObject(
        refusal(403, "forbidden"),
      );
  });
});

describe("§23 identity", () => {
  it("§23 only a key with the scope `identity` has names sent, or changes where they go", async () => {
    const notify = await workspace.newKey(["notify"]);
    expect(await create({ includeIdentity: true }, notify)).toMatchObject(refusal(403, "forbidden"));
    const { id } = await created({ includeIdentity: true });
    for (const change of [
      { url: "https://elsewhere.example.com" },
      { disabled: false },
      { events: ["inbox.resolved"] },
    ])
      expect(await call("PATCH", `/${id}`, change, notify)).toMatchObject(refusal(403, "forbidden"));
    expect(await call("PATCH", `/${id}`, { includeIdentity: false }, notify)).toMatchObject({ status: 200 });
    expect(await call("PATCH", `/${id}`, { includeIdentity: true }, notify)).toMatchObject(refusal(403, "forbidden"));
  });

  it("§23 names go to a Slack URL only if whoever turns them on gives the URL", async () => {
    const { id } = await created(SLACK);
    expect(await call("PATCH", `/${id}`, { includeIdentity: true })).toMatchObject(
      refusal(400, "invalid_request", "url"),
    );
    expect(await call("PATCH", `/${id}`, { includeIdentity: true, url: SLACK.url })).toMatchObject({ status: 200 });
    expect(await call("PATCH", `/${id}`, { events: ["inbox.resolved"], digest: null })).toMatchObject({ status: 200 });
  });
});

describe("§23 changing", () => {
  it("§23 changes the fields that are given", async () => {
    const { secret: _secret, ...before } = await created();
    const url = "https://other.example.com/a?b=c";
    const changed = await call("PATCH", `/${before.id}`, { url, filter: { owner: "anna" } });
    expect(shown(changed)).toEqual({ ...before, url, filter: { owner: "anna" } });
    expect(await listed()).toEqual([shown(changed)]);
  });

  it("§23 disables and enables", async () => {
    const { id } = await created(SLACK);
    const disabled = shown(await call("PATCH", `/${id}`, { disabled: true }));
    expect(disabled).toMatchObject({ disabled: true, disabledReason: "requested", nextDigestAt: null });
    const enabled = shown(await call("PATCH", `/${id}`, { disabled: false }));
    expect(enabled).toMatchObject({ disabled: false, disabledReason: null, nextDigestAt: expect.any(String) });
  });

  it("§23 checks what the change leads to", async () => {
    const { id } = await created();
    expect(await call("PATCH", `/${id}`, { events: ["digest"] })).toMatchObject(
      refusal(400, "invalid_request", "digest"),
    );
    expect(await call("PATCH", `/${id}`, { kind: "slack" })).toMatchObject(refusal(400, "invalid_request", "kind"));
    expect(await call("PATCH", `/${id}`, { url: "https://localhost" })).toMatchObject(
      refusal(400, "invalid_request", "url"),
    );
  });

  it("§23 changes all but the URL of a webhook whose key is lost", async () => {
    const ref = await workspace.ref();
    await addDestination(ref);
    await addDestination(ref, { kind: "slack", shownUrl: "https://hooks.slack.com" });
    const [webhook, slack] = (await listed()).map(({ id }) => String(id));
    for (const id of [webhook, slack])
      for (const change of [{ disabled: true }, { disabled: false }, { filter: { owner: "anna" } }])
        expect(await call("PATCH", `/${id}`, change)).toMatchObject({ status: 200 });
    const refused = await call("PATCH", `/${webhook}`, { url: "https://other.example.com/a" });
    expect(refused).toMatchObject(refusal(400, "invalid_request", "url"));
    expect(refused.text).toContain("delete the destination and create it anew");
    expect((await listed())[0]).toMatchObject({ url: "https://hooks.customer.com/health" });
    const url = "https://hooks.slack.com/services/anew";
    expect(await call("PATCH", `/${slack}`, { url })).toMatchObject({ status: 200 });
    const stored = await findDestination(env, ref, slack ?? "");
    expect(stored && (await unseal(env, stored))).toEqual({ url, secret: null });
  });

  it("§23 deletes, and leaves no row", async () => {
    const { id } = await created();
    expect(await call("DELETE", `/${id}`)).toMatchObject({ status: 200 });
    expect(await call("DELETE", `/${id}`)).toMatchObject(refusal(404, "not_found"));
    expect(await listed()).toEqual([]);
  });

  it("§23 a revoked key changes nothing and sends nothing", async () => {
    const notify = await workspace.newKey(["notify"]);
    const { id } = await created();
    await call("GET", "", undefined, notify);
    await workspace.revoke(notify.keyId);
    expect(await call("PATCH", `/${id}`, { disabled: true }, notify)).toMatchObject(refusal(401, "unauthorized"));
    expect(await call("POST", `/${id}/test`, undefined, notify)).toMatchObject(refusal(401, "unauthorized"));
  });
});

it("§8 refuses more than 20 tests a minute of a workspace", async () => {
  const { id } = await created();
  // A minute may end meanwhile, and begin again.
  for (let isLeft = true; isLeft;) ({ success: isLeft } = await env.SEND_LIMITER.limit({ key: workspace.id }));
  const refused = await call("POST", `/${id}/test`);
  expect(refused).toMatchObject(refusal(429, "rate_limited"));
  expect(refused.headers.get("Retry-After")).toBe("60");
});

describe("§23 other tenants", () => {
  it("§23 can't choose the id of a destination", async () => {
    const other = await newWorkspace();
    const [own, theirs] = await Promise.all(
      [workspace, other].map(async ({ id }) => {
        const found = await findWorkspace(env, id);
        if (found === null) throw new Error("no workspace");
        const fields = { ...newDestination.parse(WEBHOOK), id: "dst_aaaaaaaaaaaaaaaaaaaaaaaa" };
        return createDestination(env, found, fields, { actor: "admin", mayIdentify: true }, Date.now());
      }),
    );
    expect([own, theirs]).toMatchObject([{ outcome: "created" }, { outcome: "created" }]);
    expect(Object(own).destination.id).not.toBe(Object(theirs).destination.id);
  });

  it("§23 neither see, change, test nor resend a destination", async () => {
    const { id } = await created();
    const other = await newWorkspace();
    const calls = [
      call("PATCH", `/${id}`, { disabled: true }, other),
      call("DELETE", `/${id}`, undefined, other),
      call("POST", `/${id}/test`, undefined, other),
      call("GET", `/${id}/attempts`, undefined, other),
      call("POST", `/${id}/attempts/att_1/resend`, undefined, other),
    ];
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject(refusal(404, "not_found"));
    expect((await call("GET", "", undefined, other)).body["destinations"]).toEqual([]);
    expect(await listed()).toMatchObject([{ id, disabled: false }]);
  });
});

describe("§9.2 the audit log", () => {
  it("§9.2 says which key changed a destination, and where it sends to", async () => {
    const { id } = await created(SLACK);
    await call("PATCH", `/${id}`, { url: "https://hooks.slack.com/services/other" });
    await call("DELETE", `/${id}`);
    const { body, text } = await admin("GET", `/audit?workspace=${workspace.id}`);
    expect(text).not.toContain("services");
    expect(body["audit"]).toMatchObject([
      { action: "destination_deleted", actor: `key:${workspace.keyId}`, details: { destination: id } },
      {
        action: "destination_changed",
        details: { destination: id, changed: ["url"], origin: "https://hooks.slack.com" },
      },
      { action: "destination_created", details: { destination: id, kind: "slack", includeIdentity: false } },
      { action: "workspace_created" },
    ]);
  });
});
