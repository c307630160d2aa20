/** Section 4.1: bodies are read as they come, and no further than their limit. */
import { beforeAll, describe, expect, it } from "vitest";

import { asReceived, countedBody, gzip, gzipOf, repeated, slices } from "../support/bytes.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { batch, capture, track, tracks, utf8 } from "../support/messages.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";
const MEGABYTE = 1_048_576;

let workspace: TestWorkspace;
let bomb: Uint8Array;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
  bomb = await gzipOf(repeated(new Uint8Array(MEGABYTE).fill(0x20), 200));
});

const headersOf = (more: Record<string, string> = {}) => ({
  headers: { Authorization: `Bearer ${workspace.key}`, ...more },
});
const gzipped = (body: Uint8Array, path = CDP) => workspace.post(path, body, headersOf({ "Content-Encoding": "gzip" }));
const PLAIN = [
  [CDP, "batch_too_large", 524_288],
  [NATIVE, "message_too_large", 16_384],
] as const;

describe("§4.1 a gzip bomb costs nothing", () => {
  it.each(PLAIN)("§4.1 200 MB of blanks in a small gzip to %s are 413 %s", async (path, code) => {
    expect(bomb.byteLength).toBeLessThan(MEGABYTE);
    expect(await gzipped(bomb, path)).toMatchObject({ status: 413, body: { ok: false, error: { code } } });
  });

  it.each(PLAIN)("§4.1 the service stops reading it: of the bomb to %s a small part is pulled", async (path) => {
    // Each chunk decodes to about a megabyte.
    const chunk = 1_024;
    const body = countedBody(slices(bomb, chunk));
    const init = headersOf({ "Content-Encoding": "gzip" });
    const { status } = await sendWith(envWith({}), "POST", path, asReceived(body.stream), init);
    expect(status).toBe(413);
    expect(bomb.byteLength / chunk).toBeGreaterThan(190);
    expect(body.pulled()).toBeLessThanOrEqual(32);
  });

  it.each(PLAIN)("§4.1 gzip that decodes to nothing is read no further either, by %s", async (path, code, limit) => {
    const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
    const emptyBlocks = Uint8Array.from({ length: 5_000 }, (_, place) => (place % 5 < 3 ? 0 : 0xff));
    const body = countedBody([header, ...repeated(emptyBlocks, 4_000)]);
    const init = headersOf({ "Content-Encoding": "gzip" });
    const answer = await sendWith(envWith({}), "POST", path, asReceived(body.stream), init);
    expect(answer).toMatchObject({ status: 413, body: { error: { code } } });
    expect(body.pulled()).toBeLessThanOrEqual(limit / emptyBlocks.byteLength + 4);
    expect(body.cancelled()).toBe(true);
  });

  it("§4.1 a bomb in a batch's clothes is none the better", async () => {
    const start = utf8('{"batch":[{"type":"track","userId":"u1","event":"x"}],"pad":"');
    const disguised = await gzipOf([start, ...repeated(new Uint8Array(MEGABYTE).fill(0x61), 50)]);
    expect((await gzipped(disguised)).status).toBe(413);
  });
});

describe("§4.1 a plain body is read up to its limit only", () => {
  it.each(PLAIN)("§4.1 of 200 MB to %s no more than its limit and one chunk is pulled", async (path, code, limit) => {
    const chunk = new Uint8Array(4_096).fill(0x20);
    const body = countedBody(repeated(chunk, 51_200));
    const answer = await sendWith(envWith({}), "POST", path, asReceived(body.stream), headersOf());
    expect(answer).toMatchObject({ status: 413, body: { error: { code } } });
    expect(body.pulled()).toBeLessThanOrEqual(limit / chunk.byteLength + 2);
    expect(body.cancelled()).toBe(true);
  });

  it("§4.1 a body that comes in single bytes is put together again", async () => {
    const text = utf8(JSON.stringify(track({ properties: { text: "é€😀" } })));
    const body = countedBody(slices(text, 1));
    expect((await sendWith(envWith({}), "POST", CDP, asReceived(body.stream), headersOf())).status).toBe(200);
    expect((await workspace.get("/api/v1/events?limit=1")).body.events).toMatchObject([
      { properties: { text: "é€😀" } },
    ]);
  });

  it("§8 a sender that goes away amid its body is no fault of the service's", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error("gone"));
      },
    });
    expect((await sendWith(envWith({}), "POST", CDP, asReceived(broken), headersOf())).status).toBe(400);
  });
});

describe("§4.1 Content-Length is never trusted", () => {
  it.each(PLAIN)("§4.1 to %s a small one does not let a large body in", async (path, code, limit) => {
    const body = countedBody(repeated(new Uint8Array(4_096).fill(0x20), 200));
    const answer = await sendWith(
      envWith({}),
      "POST",
      path,
      asReceived(body.stream),
      headersOf({ "Content-Length": "10" }),
    );
    expect(answer).toMatchObject({ status: 413, body: { error: { code } } });
    expect(limit).toBeGreaterThan(10);
  });

  it.each(["99999999999", "-1", "x", ""])("§4.1 one of %j does not keep a small body out", async (length) => {
    for (const [path, body] of [
      [CDP, track()],
      [NATIVE, capture()],
    ] as const) {
      const stream = asReceived(countedBody([utf8(JSON.stringify(body))]).stream);
      const answer = await sendWith(envWith({}), "POST", path, stream, headersOf({ "Content-Length": length }));
      expect(answer.status).toBe(200);
    }
  });
});

describe("§4.1 Content-Encoding: gzip", () => {
  it("§4.1 a gzipped batch is stored", async () => {
    const own = await newWorkspace();
    const body = await gzip(utf8(JSON.stringify(batch(tracks(3)))));
    const init = { headers: { Authorization: `Bearer ${own.key}`, "Content-Encoding": "gzip" } };
    expect(await own.post(CDP, body, init)).toMatchObject({ status: 200, body: { stored: 3 } });
  });

  it("§4.1 gzip is read on every ingest path", async () => {
    expect((await gzipped(await gzip(utf8(JSON.stringify(capture()))), NATIVE)).status).toBe(200);
    expect((await gzipped(await gzip(utf8(JSON.stringify({ userId: "u1", event: "x" }))), "/v1/t")).status).toBe(200);
  });

  it("§4.1 §2 a writeKey in a gzipped body is found", async () => {
    const body = await gzip(utf8(JSON.stringify({ ...track(), writeKey: workspace.key })));
    const init = { headers: { "Content-Encoding": "gzip" } };
    expect((await sendWith(envWith({}), "POST", CDP, body, init)).status).toBe(200);
  });

  it.each<[what: string, spoil: (whole: Uint8Array) => Uint8Array]>([
    ["is cut in its middle", (whole) => whole.slice(0, whole.byteLength >> 1)],
    ["lacks its last byte", (whole) => whole.slice(0, -1)],
    ["has nothing but its header", (whole) => whole.slice(0, 10)],
    ["has a wrong checksum", (whole) => whole.with(whole.byteLength - 8, (whole.at(-8) ?? 0) ^ 1)],
    [
      "has a wrong byte inside",
      (whole) => whole.with(whole.byteLength >> 1, (whole.at(whole.byteLength >> 1) ?? 0) ^ 0xff),
    ],
    ["is not gzip at all", () => utf8(JSON.stringify(track()))],
    ["is empty", () => new Uint8Array()],
  ])("§4.1 §8 a gzip that %s is 400 invalid_json", async (_what, spoil) => {
    const whole = await gzip(utf8(JSON.stringify(batch(tracks(20, crypto.randomUUID())))));
    const answer = await gzipped(spoil(whole));
    expect(answer).toMatchObject({ status: 400, body: { ok: false, error: { code: "invalid_json" } } });
  });

  it("§4.1 gzip that does not say so is 400 invalid_json", async () => {
    const answer = await workspace.post(CDP, await gzip(utf8(JSON.stringify(track()))));
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "invalid_json" } } });
  });
});
