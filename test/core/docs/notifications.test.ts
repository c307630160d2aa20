/** The examples of docs/notifications.md: the payloads are the API's, and the receivers work against fake services on loopback. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";

import { accounts } from "../../../src/edge/responses/account.ts";
import { item } from "../../../src/edge/responses/inbox-item.ts";
import { freePort } from "../../harness/free-port.ts";

const PAGE = readFileSync("docs/notifications.md", "utf8");
const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;

const payloads = Array.from(PAGE.matchAll(/^```json\n(.*?)^```/gms), ([, json = ""]) =>
  z
    .object({ type: z.string(), timestamp: z.iso.datetime(), data: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(json)),
);
const payloadOf = (type: string) => payloads.find((each) => each.type === type);

describe("the payloads of docs/notifications.md", () => {
  it("have the API's objects", () => {
    expect(payloads.map(({ type }) => type)).toEqual(["inbox.opened", "health.changed", "digest"]);
    expect(item.parse(payloadOf("inbox.opened")?.data["item"])).toBeDefined();
    expect(accounts.shape.accounts.element.parse(payloadOf("health.changed")?.data["account"])).toBeDefined();
  });
});

const Example = z.object({
  default: z.object({ fetch: z.custom<(request: Request, env: object) => Promise<Response>>() }),
});

let folder: string;
let service: string;
let stop: () => void;
const calls: { method: string; path: string; authorization: string | undefined; body: string }[] = [];
let status = 200;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "examples-"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const server = createServer((request, response) => {
    const answer = async () => {
      const { method = "", url: path = "", headers } = request;
      calls.push({ method, path, authorization: headers.authorization, body: await text(request) });
      response.writeHead(path.endsWith("/token") ? 200 : status, { "content-type": "application/json" });
      response.end(JSON.stringify({ access_token: "a-token" }));
    };
    answer().catch(() => response.destroy());
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  service = `http://127.0.0.1:${port}`;
  stop = () => server.close();
});
beforeEach(() => {
  calls.length = 0;
  status = 200;
});
afterAll(() => {
  stop();
  rmSync(folder, { recursive: true });
});

/** Runs an example of the page for a payload. */
async function run(name: string, payload: unknown, env: object, secret = SECRET): Promise<number> {
  const [, code = ""] = new RegExp(`^\`\`\`js ${name}\\n(.*?)^\`\`\``, "ms").exec(PAGE) ?? [];
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, code);
  const module = Example.parse(await import(/* @vite-ignore */ pathToFileURL(path).href));
  const body = JSON.stringify(payload);
  const now = new Date();
  const headers = {
    "webhook-id": "ntf_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign("ntf_1", now, body),
  };
  const request = new Request("https://receiver.example.com/", { method: "POST", headers, body });
  return (await module.default.fetch(request, { WEBHOOK_SECRET: SECRET, ...env })).status;
}

describe("the receivers of docs/notifications.md", () => {
  it("verify signatures", async () => {
    expect(await run("verify", payloadOf("inbox.opened"), {})).toBe(204);
    const other = `whsec_${Buffer.from("another secret of 32 characters.").toString("base64")}`;
    expect(await run("verify", payloadOf("inbox.opened"), {}, other)).toBe(401);
  });

  it("set the health of a company in HubSpot", async () => {
    const env = { HUBSPOT_URL: service, HUBSPOT_TOKEN: "token" };
    expect(await run("hubspot", payloadOf("health.changed"), env)).toBe(204);
    expect(calls).toEqual([
      {
        method: "PATCH",
        path: "/crm/v3/objects/companies/acme?idProperty=account_id",
        authorization: "Bearer token",
        body: '{"properties":{"health_state":"at_risk","health_score":38.5}}',
      },
    ]);
    expect(await run("hubspot", payloadOf("inbox.opened"), env)).toBe(204);
    expect(calls).toHaveLength(1);
  });

  it("set the health of an account in Salesforce", async () => {
    const env = { SALESFORCE_URL: service, SALESFORCE_CLIENT_ID: "id", SALESFORCE_CLIENT_SECRET: "secret" };
    expect(await run("salesforce", payloadOf("health.changed"), env)).toBe(204);
    expect(calls).toEqual([
      {
        method: "POST",
        path: "/services/oauth2/token",
        authorization: undefined,
        body: "grant_type=client_credentials&client_id=id&client_secret=secret",
      },
      {
        method: "PATCH",
        path: "/services/data/v62.0/sobjects/Account/Account_Id__c/acme?updateOnly=true",
        authorization: "Bearer a-token",
        body: '{"Health_State__c":"at_risk","Health_Score__c":38.5}',
      },
    ]);
  });

  it("open and resolve an incident in PagerDuty", async () => {
    const env = { PAGERDUTY_URL: service, PAGERDUTY_ROUTING_KEY: "key" };
    const opened = payloadOf("inbox.opened");
    // The last one is a late repetition of the first.
    for (const [type, itemStatus] of [
      ["inbox.opened", "open"],
      ["inbox.resolved", "resolved"],
      ["inbox.opened", "resolved"],
    ]) {
      const data = { item: Object.assign({}, opened?.data["item"], { status: itemStatus }) };
      expect(await run("pagerduty", { ...opened, type, data }, env)).toBe(204);
    }
    const sent = calls.map(({ body }) => z.record(z.string(), z.unknown()).parse(JSON.parse(body)));
    expect(calls.map(({ path }) => path)).toEqual(["/v2/enqueue", "/v2/enqueue", "/v2/enqueue"]);
    expect(sent.map(({ event_action: action, dedup_key: key }) => [action, key])).toEqual([
      ["trigger", "itm_0123456789abcdef01234567"],
      ["resolve", "itm_0123456789abcdef01234567"],
      ["resolve", "itm_0123456789abcdef01234567"],
    ]);
    expect(sent[0]).toMatchObject({ routing_key: "key", payload: { summary: "acme has gone silent", source: "acme" } });
  });

  it.each([
    ["hubspot", "health.changed", { HUBSPOT_TOKEN: "token" }],
    ["salesforce", "health.changed", {}],
    ["pagerduty", "inbox.opened", {}],
  ])("ask for another attempt when %s fails", async (name, type, more) => {
    status = 500;
    const env = { HUBSPOT_URL: service, SALESFORCE_URL: service, PAGERDUTY_URL: service, ...more };
    expect(await run(name, payloadOf(type), env)).toBe(502);
  });
});
