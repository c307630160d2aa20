/** Section 8: every operation with a JSON body, except ingest, reads it by the same rules. */
import { beforeAll, describe, expect, it } from "vitest";

import { asReceived, countedBody, gzip, repeated } from "../support/bytes.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { utf8 } from "../support/messages.ts";
import { type Answer, send } from "../support/send.ts";
import { ADMIN_HEADERS, admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const ITEM = "/api/v1/inbox/itm_000000000000000000000000/snooze";
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
/** Each has a valid body and the status of its response. */
const OPERATIONS: [method: string, path: string, body: string, status: number][] = [
  ["POST", "/api/v1/ask", '{"question":"Who?"}', 200],
  ["POST", "/api/v1/identity", '{"userId":"u1","traits":{"name":"Jo"}}', 404],
  ["POST", ITEM, `{"until":"${TOMORROW}"}`, 404],
  ["POST", "/admin/workspaces", '{"name":"Shop"}', 201],
  ["PATCH", "/admin/workspaces/ID", '{"name":"Shop"}', 200],
  ["POST", "/admin/workspaces/ID/keys", '{"name":"Shop"}', 201],
  ["PUT", "/admin/workspaces/ID/dpa", '{"acceptedBy":"Jo","version":"1"}', 200],
];

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
  await admin("PUT", `/workspaces/${workspace.id}/dpa`, { acceptedBy: "Jo Doe", version: "1" });
});

const errorOf = ({ status, body }: Answer) => [status, body.error?.code];

describe.each(OPERATIONS)("§4.1 §8 the body of %s %s", (method, path, body, status) => {
  const url = () => path.replace("ID", workspace.id);
  const init = (more: Record<string, string> = {}) => {
    const own = path.startsWith("/admin/") ? ADMIN_HEADERS : { Authorization: `Bearer ${workspace.key}` };
    return { headers: { ...own, "Content-Type": "application/json", ...more } };
  };
  const post = (sent: string | Uint8Array, more?: Record<string, string>) => send(method, url(), sent, init(more));
  const stream = (sent: ReadableStream<Uint8Array>) => sendWith(envWith({}), method, url(), asReceived(sent), init());

  it("§8 may be gzipped, and may start with a byte order mark", async () => {
    expect((await post(await gzip(utf8(body)), { "Content-Encoding": "gzip" })).status).toBe(status);
    expect((await post(`\uFEFF${body}`)).status).toBe(status);
  });

  it("§8 in another encoding is 415 unsupported_encoding", async () => {
    for (const encoding of ["br", "gzip, gzip"]) {
      expect(errorOf(await post(body, { "Content-Encoding": encoding }))).toEqual([415, "unsupported_encoding"]);
    }
  });

  it("§8 of another content type is 415 unsupported_media_type", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]) {
      expect(errorOf(await post(body, { "Content-Type": type }))).toEqual([415, "unsupported_media_type"]);
    }
  });

  it("§8 that is empty, no JSON, no UTF-8, no gzip or cut off is 400 invalid_json", async () => {
    const broken = utf8(body);
    broken[broken.lastIndexOf(0x22) - 1] = 0xff;
    for (const sent of ["", "{", `\u0000${body}`, broken])
      expect(errorOf(await post(sent))).toEqual([400, "invalid_json"]);
    expect((await post(`${body},`)).body.error?.message).toBe(`Invalid JSON body at position ${body.length}.`);
    expect(errorOf(await post(body, { "Content-Encoding": "gzip" }))).toEqual([400, "invalid_json"]);
    expect(errorOf(await stream(brokenBody()))).toEqual([400, "invalid_json"]);
  });

  it("§8 that is no object, or has an unknown field, is 400 invalid_request", async () => {
    const deep = `${"[".repeat(1_000)}${"]".repeat(1_000)}`;
    for (const sent of [
      "null",
      "5",
      "[]",
      body.replace("{", '{"surprise":1,'),
      body.replace("{", `{"deep":${deep},`),
    ]) {
      const answer = await post(sent);
      expect(errorOf(answer)).toEqual([400, "invalid_request"]);
      expect(answer.body.error?.issues).toHaveLength(1);
    }
  });

  it("§8 is at most 16 KB (4 KB for a question), decoded", async () => {
    const limit = path === "/api/v1/ask" ? 4_096 : 16_384;
    expect((await post(body.padEnd(limit))).status).toBe(status);
    expect(errorOf(await post(body.padEnd(limit + 1)))).toEqual([413, "message_too_large"]);
    const zipped = await gzip(utf8(body.padEnd(limit + 1)));
    expect(errorOf(await post(zipped, { "Content-Encoding": "gzip" }))).toEqual([413, "message_too_large"]);
    const long = countedBody(repeated(new Uint8Array(4_096).fill(0x20), 500));
    expect(errorOf(await stream(long.stream))).toEqual([413, "message_too_large"]);
    expect(long.pulled()).toBe(500);
  });
});

/** Starts as JSON and then fails, like the body of a lost connection. */
function brokenBody(): ReadableStream<Uint8Array> {
  const chunks = [utf8('{"question":'), utf8('"How many')];
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.error(new Error("the connection is lost"));
      else controller.enqueue(chunk);
    },
  });
}

it.each([
  "application/json; charset=utf-8",
  "Application/JSON",
  'application/json; charset="utf-8"',
  "application/json ; charset=utf-8",
])("§8 the content type %s is JSON", async (type) => {
  const init = { headers: { "Content-Type": type } };
  const created = await admin("POST", `/workspaces/${workspace.id}/keys`, { scopes: ["read"] }, init);
  expect(created).toMatchObject({ status: 201, body: { key: { scopes: ["read"] } } });
});
