/** Section 8: bodies that are to be JSON in UTF-8 are read alike, whatever is asked. */
import { beforeAll, describe, expect, it } from "vitest";

import { asReceived, countedBody, gzip, gzipOf, repeated } from "../support/bytes.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { utf8 } from "../support/messages.ts";
import { send } from "../support/send.ts";
import { ADMIN_HEADERS, admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const MEGABYTE = 1_048_576;
const NO_ITEM = "/api/v1/inbox/itm_000000000000000000000000/snooze";
/** Each with a body that it takes, one text of which is `TEXT`, and what it then answers. */
const OPERATIONS: [method: string, path: string, body: string, status: number][] = [
  ["POST", "/api/v1/ask", '{"question":"TEXT?"}', 200],
  ["POST", "/api/ask", '{"question":"TEXT?"}', 200],
  ["POST", "/api/v1/identity", '{"userId":"TEXT","traits":{"name":"Jo"}}', 404],
  ["POST", NO_ITEM, `{"until":"${new Date(Date.now() + 86_400_000).toISOString()}"}`, 404],
  ["POST", "/admin/workspaces", '{"name":"TEXT"}', 201],
  ["PATCH", "/admin/workspaces/ID", '{"name":"TEXT"}', 200],
  ["POST", "/admin/workspaces/ID/keys", '{"name":"TEXT"}', 201],
  ["PUT", "/admin/workspaces/ID/dpa", '{"acceptedBy":"TEXT","version":"1"}', 200],
];

let workspace: TestWorkspace;
let bomb: Uint8Array;
beforeAll(async () => {
  workspace = await newWorkspace();
  await admin("PUT", `/workspaces/${workspace.id}/dpa`, { acceptedBy: "Jo Doe", version: "1" });
  bomb = await gzipOf(repeated(new Uint8Array(MEGABYTE).fill(0x20), 50));
});

const headersOf = (path: string, more: Record<string, string> = {}) => ({
  ...(path.startsWith("/admin/") ? ADMIN_HEADERS : { Authorization: `Bearer ${workspace.key}` }),
  "Content-Type": "application/json",
  ...more,
});
const sendTo = (method: string, path: string, body: string | Uint8Array, encoding?: string) =>
  send(method, path.replace("ID", workspace.id), body, {
    headers: headersOf(path, encoding === undefined ? {} : { "Content-Encoding": encoding }),
  });

describe.each(OPERATIONS)("§8 the body of %s %s", (method, path, body, status) => {
  it("§8 may be gzipped", async () => {
    const plain = await sendTo(method, path, body);
    const zipped = await sendTo(method, path, await gzip(utf8(body)), "gzip");
    expect([plain.status, zipped.status]).toEqual([status, status]);
    expect(Object.keys(zipped.body)).toEqual(Object.keys(plain.body));
    expect((await sendTo(method, path, body, "identity")).status).toBe(status);
    const bytes = await gzip(utf8(body.padEnd(1_000)));
    const headers = headersOf(path, { "Content-Encoding": "gzip", "Content-Length": String(bytes.byteLength) });
    const url = path.replace("ID", workspace.id);
    expect((await sendWith(envWith({}), method, url, bytes, { headers })).status).toBe(status);
  });

  it.each(["br", "deflate", "zstd", "gzip, gzip", "x"])("§8 in the encoding %s is 415", async (encoding) => {
    const { status: told, body: answer } = await sendTo(method, path, body, encoding);
    expect([told, answer.error?.code]).toEqual([415, "unsupported_encoding"]);
  });

  it("§8 which says that it is gzip and is not, is 400 invalid_json", async () => {
    const { status: told, body: answer } = await sendTo(method, path, body, "gzip");
    expect([told, answer.error?.code]).toEqual([400, "invalid_json"]);
  });

  it.each(["", " ", "{", "NaN", `\u0000${body}`])("§8 of %j is 400 invalid_json", async (text) => {
    const { status: told, body: answer } = await sendTo(method, path, text);
    expect([told, answer.error?.code]).toEqual([400, "invalid_json"]);
  });

  it("§8 of bytes that are not UTF-8 is 400 invalid_json", async () => {
    const bytes = utf8(body);
    bytes[bytes.lastIndexOf(0x22) - 1] = 0xff;
    const { status: told, body: answer } = await sendTo(method, path, bytes);
    expect([told, answer.error?.code]).toEqual([400, "invalid_json"]);
  });

  it("§8 begins with a BOM and is read all the same", async () => {
    expect((await sendTo(method, path, `\uFEFF${body}`)).status).toBe(status);
  });

  it("§8 nested a thousand deep is no fault of the service's", async () => {
    const deep = body.replace("{", `{"deep":${"[".repeat(1_000)}${"]".repeat(1_000)},`);
    expect((await sendTo(method, path, deep)).status).toBe(400);
  });

  it("§8 is read up to its limit, gzipped or not", async () => {
    expect(await sendTo(method, path, bomb, "gzip")).toMatchObject({
      status: 413,
      body: { error: { code: "message_too_large" } },
    });
    const endless = countedBody(repeated(new Uint8Array(4_096).fill(0x20), 5_000));
    const init = { headers: headersOf(path, { "Content-Length": "10" }) };
    const url = path.replace("ID", workspace.id);
    const answer = await sendWith(envWith({}), method, url, asReceived(endless.stream), init);
    expect(answer).toMatchObject({ status: 413, body: { error: { code: "message_too_large" } } });
    expect(endless.pulled()).toBeLessThanOrEqual(6);
    expect(endless.cancelled()).toBe(true);
  });
});
