/**
 * docs/wire/batches.md §4.1, docs/wire/README.md §8: a sender of a large body gets the response, never a reset
 * connection or an error of the platform.
 */
import { request } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { randomBytes } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import type { AdminClient, Workspace } from "../harness/admin-client.ts";
import { inBash } from "../harness/api-guide.ts";
import { type Service, startService } from "../harness/service.ts";
import { sharedWorker } from "../harness/shared-worker.ts";
import { chunk, rawPost } from "./raw-request.ts";

const MEGABYTE = 1_000_000;
const AT_ONCE = 4;
const JSON_TYPE = { "content-type": "application/json" };
const Refusal = z.object({ ok: z.literal(false), code: z.string(), message: z.string() });

const bodyOf = (megabytes: number): Buffer<ArrayBuffer> =>
  Buffer.from(JSON.stringify({ type: "track", userId: "u", event: "Opened", text: "x".repeat(megabytes * MEGABYTE) }));

type Result = [status: number | undefined, code: string];
const resultOf = (status: number | undefined, text: string): Result => [status, Refusal.parse(JSON.parse(text)).code];
const times = (count: number, result: Result) => Array.from({ length: count }, () => result);

const headOf = (key: string, header: string) =>
  ["POST /v1/batch HTTP/1.1", "Host: ingest", `Authorization: Bearer ${key}`, header, "", ""].join("\r\n");
const counted = (key: string, body: Buffer) => [headOf(key, `Content-Length: ${body.byteLength}`), body] as const;

let local: Service;
beforeAll(async () => {
  local = await startService();
});
afterAll(async () => {
  await local[Symbol.asyncDispose]();
});

describe.each<[name: string, service: () => AdminClient]>([
  ["npm start", () => local],
  ["the Worker alone", sharedWorker],
])("%s", (_, serviceOf) => {
  let service: AdminClient;
  let workspace: Workspace;
  let bearer: { authorization: string };
  let stalled: Promise<(number | null)[]>;
  beforeAll(async () => {
    service = serviceOf();
    workspace = await service.createWorkspace();
    bearer = { authorization: `Bearer ${workspace.key}` };
    stalled = declareMoreThanIsSent();
    stalled.catch(() => undefined); // its test reports a failure
  });

  /** The service waits half a minute for the rest, and other tests run meanwhile. */
  async function declareMoreThanIsSent() {
    const sent = await rawPost(service.url, "/v1/batch", {
      Authorization: bearer.authorization,
      "Content-Length": "100000000000",
    });
    await sent.write(bodyOf(1));
    const refused = await rawPost(service.url, "/v1/batch", {
      Authorization: "Bearer x",
      "Content-Length": "100000000",
    });
    return Promise.all([sent.status(), refused.status()]);
  }

  async function byFetch(
    path: string,
    body: NonNullable<RequestInit["body"]>,
    headers: Record<string, string>,
    method = "POST",
  ) {
    const response = await fetch(service.url + path, { method, headers, body, duplex: "half" });
    return resultOf(response.status, await response.text());
  }

  const byHttp = (body: Buffer, headers: Record<string, string> = {}): Promise<Result> =>
    new Promise((resolve, reject) => {
      const sent = request(`${service.url}/v1/batch`, { method: "POST", headers: { ...bearer, ...headers } });
      sent.on("error", reject).on("response", (response) => {
        let text = "";
        response.on("data", (part) => (text += part)).on("end", () => resolve(resultOf(response.statusCode, text)));
      });
      if (headers["expect"] === undefined) sent.end(body);
      else sent.on("continue", () => sent.end(body)).flushHeaders();
    });

  it.each([1, 8, 20, 30])("§4.1 answers %i MB with 413, alone and at once", async (megabytes) => {
    const body = bodyOf(megabytes);
    const tooLarge: Result = [413, "batch_too_large"];
    expect(await byFetch("/v1/batch", body, bearer)).toEqual(tooLarge);
    expect(await byHttp(body)).toEqual(tooLarge);
    expect(await byHttp(body, { expect: "100-continue" })).toEqual(tooLarge);
    const many = Array.from({ length: AT_ONCE }, () => byFetch("/v1/batch", body, bearer));
    expect(await Promise.all(many)).toEqual(times(AT_ONCE, tooLarge));
    expect(await Promise.all(Array.from({ length: AT_ONCE }, () => byHttp(body)))).toEqual(times(AT_ONCE, tooLarge));
    const zipped = gzipSync(randomBytes(megabytes * MEGABYTE), { level: 1 });
    expect(await byFetch("/v1/batch", zipped, { ...bearer, "content-encoding": "gzip" })).toEqual(tooLarge);
    expect(await byFetch("/v1/batch", new Blob([body]).stream(), bearer)).toEqual(tooLarge);
  });

  it.each<[what: string, result: Result, path: string, headers?: Record<string, string>, method?: string]>([
    ["a capture", [413, "message_too_large"], "/api/v1/events"],
    ["a question", [413, "message_too_large"], "/api/v1/ask", JSON_TYPE],
    ["a query", [413, "message_too_large"], "/api/v1/query", JSON_TYPE],
    ["an identity call without an agreement", [403, "dpa_required"], "/api/v1/identity", JSON_TYPE],
    ["a request that needs no body", [404, "not_found"], "/api/v1/inbox/itm_1/dismiss", {}, "DELETE"],
    ["another content type", [415, "unsupported_media_type"], "/api/v1/ask", { "content-type": "text/plain" }],
    ["another encoding", [415, "unsupported_encoding"], "/v1/batch", { "content-encoding": "br" }],
    ["a bad key", [401, "unauthorized"], "/v1/batch", { authorization: "Bearer bik_unknown" }],
    ["a bad admin token", [401, "unauthorized"], "/admin/workspaces", JSON_TYPE],
    ["an unknown path", [404, "not_found"], "/nothing"],
    ["another method", [405, "method_not_allowed"], "/v1/batch", {}, "PUT"],
  ])("§8 answers 8 MB of %s with %j", async (_what, result, path, headers = {}, method = "POST") => {
    for (let time = 0; time < 3; time += 1)
      expect(await byFetch(path, bodyOf(8), { ...bearer, ...headers }, method)).toEqual(result);
  });

  it("§8 answers 8 MB of an administration call with 413", async () => {
    const answer = await service.admin("POST", "/admin/workspaces", { name: "x".repeat(8 * MEGABYTE) });
    expect(resultOf(answer.status, await answer.text())).toEqual([413, "message_too_large"]);
  });

  it("answers a large form of the console with a page, in one piece and in chunks", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: service.url };
    for (const body of [bodyOf(8), new Blob([bodyOf(8)]).stream()]) {
      const sent = { method: "POST", headers, body, duplex: "half" } as const;
      const response = await fetch(`${service.url}/console/sign-in`, sent);
      expect([response.status, await response.text()]).toEqual([
        413,
        expect.stringContaining("The form data is too large."),
      ]);
    }
  });

  it("§4.1 answers curl, which waits for 100 Continue", async () => {
    const size = `head -c ${2 * MEGABYTE} /dev/zero`;
    const command = `${size} | curl -s -w ' %{http_code} %{size_upload}' --data-binary @- -H 'Expect: 100-continue' \
      -H 'Authorization: Bearer ${workspace.key}' ${service.url}/v1/batch`;
    expect(await inBash(command)).toMatch(new RegExp(`^\\{"ok":false,"code":"batch_too_large".* 413 ${2 * MEGABYTE}$`));
  });

  it("§4.1 answers a sender that declares far more than it sends", async () => {
    expect(await stalled).toEqual([413, 401]);
  });

  it("§4.1 serves the requests behind it on the same connection, which were sent at once", async () => {
    const small = counted(workspace.key, Buffer.from("[]"));
    const large = [headOf(workspace.key, "Transfer-Encoding: chunked"), chunk(bodyOf(8)), chunk(Buffer.alloc(0))];
    const refused = [2, 0.065, 0.001].flatMap((megabytes) => counted("bik_unknown", bodyOf(megabytes)));
    const sent = [...small, ...large, ...small, ...refused, ...small];
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    for (const part of sent) socket.write(part);
    let text = "";
    let statuses: string[] = [];
    for await (const received of socket.setEncoding("latin1")) {
      text += String(received);
      statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = ""]) => status);
      if (statuses.length === 7) break;
    }
    expect(statuses).toEqual(["200", "413", "200", "401", "401", "401", "200"]);
  });
});
