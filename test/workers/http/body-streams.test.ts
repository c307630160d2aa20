/** Section 4.1: the service reads a body as a stream, keeps none above its limit, and drops the rest. */
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { asReceived, countedBody, gzip, gzipOf, repeated, slices, trickle, unfinished } from "../support/bytes.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { batch, capture, track, tracks, utf8 } from "../support/messages.ts";
import { refusal } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";
const MEGABYTE = 1_048_576;

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

const withHeaders = (more: Record<string, string> = {}) => ({
  headers: { Authorization: `Bearer ${workspace.key}`, ...more },
});
const GZIP = { "Content-Encoding": "gzip" };
const gzipped = (body: Uint8Array, path = CDP) => workspace.post(path, body, withHeaders(GZIP));
const sendStream = (stream: ReadableStream<Uint8Array>, headers: Record<string, string> = {}, path = CDP) =>
  sendWith(envWith({}), "POST", path, asReceived(stream), withHeaders(headers));

describe.each([
  [CDP, "batch_too_large", 524_288],
  [NATIVE, "message_too_large", 16_384],
] as const)("§4.1 a body to %s", (path, code, limit) => {
  const tooLarge = refusal(413, code);

  it.each([1, 8, 30])(
    "§4.1 of %i MB is read to its end and refused, with and without its Content-Length",
    async (megabytes) => {
      for (const headers of [{}, { "Content-Length": String(megabytes * MEGABYTE) }]) {
        const body = countedBody(repeated(new Uint8Array(MEGABYTE).fill(0x20), megabytes));
        expect(await sendStream(body.stream, headers, path)).toMatchObject(tooLarge);
        expect(body.pulled()).toBe(megabytes);
      }
    },
  );

  it("§4.1 has at most 32 MB dropped", async () => {
    const body = countedBody(repeated(new Uint8Array(MEGABYTE).fill(0x20), 200));
    expect(await sendStream(body.stream, {}, path)).toMatchObject(tooLarge);
    expect(body.pulled()).toBeGreaterThanOrEqual(32);
    expect(body.pulled()).toBeLessThanOrEqual(34);
  });

  it.each([
    ["stops in the middle of it", () => unfinished(new Uint8Array(limit + 2).fill(0x20))],
    ["goes on in single bytes", () => trickle(new Uint8Array(limit + 2).fill(0x20))],
  ])("§4.1 that is too large is refused after 30 seconds although its sender %s", async (_what, body) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    let isAnswered = false;
    const answer = sendStream(body(), { "Content-Length": "99999999999" }, path).finally(() => (isAnswered = true));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    for (let second = 0; second < 29; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await scheduler.wait(5);
    }
    expect(isAnswered).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    expect(await answer).toMatchObject(tooLarge);
  });

  it("§4.1 of 200 MB in a small gzip is decoded only up to the limit", async () => {
    const bomb = await gzipOf(repeated(new Uint8Array(MEGABYTE).fill(0x20), 200));
    expect(bomb.byteLength).toBeLessThan(262_144);
    expect(await sendStream(countedBody(slices(bomb, 1_024)).stream, GZIP, path)).toMatchObject(tooLarge);
  });

  it("§4.1 of gzip blocks that decode to nothing is refused too", async () => {
    const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
    const emptyBlocks = Uint8Array.from({ length: 5_000 }, (_, place) => (place % 5 < 3 ? 0 : 0xff));
    const body = countedBody([header, ...repeated(emptyBlocks, 4_000)]);
    expect(await sendStream(body.stream, GZIP, path)).toMatchObject(tooLarge);
    expect(body.pulled()).toBe(4_001);
  });

  it.each(["99999999999", "-1", "x", ""])("§4.1 is accepted with the Content-Length %j", async (length) => {
    const sent = path === CDP ? track() : capture();
    const { stream } = countedBody([utf8(JSON.stringify(sent))]);
    expect((await sendStream(stream, { "Content-Length": length }, path)).status).toBe(200);
  });
});

it("§4.1 joins a body that arrives in single bytes", async () => {
  const text = utf8(JSON.stringify(track({ properties: { text: "é€😀" } })));
  expect((await sendStream(countedBody(slices(text, 1)).stream)).status).toBe(200);
  expect((await workspace.get("/api/v1/events?limit=1")).body.events).toMatchObject([{ properties: { text: "é€😀" } }]);
});

describe("§4.1 Content-Encoding: gzip", () => {
  it("§4.1 is decoded on every ingest path", async () => {
    expect((await gzipped(await gzip(utf8(JSON.stringify(batch(tracks(3))))))).body.stored).toBe(3);
    expect((await gzipped(await gzip(utf8(JSON.stringify(capture()))), NATIVE)).status).toBe(200);
    expect((await gzipped(await gzip(utf8(JSON.stringify({ userId: "u1", event: "x" }))), "/v1/t")).status).toBe(200);
  });

  it.each(["GZIP", "x-gzip", "X-GZip", " gzip\t"])("§4.1 may be declared as %j", async (name) => {
    const body = await gzip(utf8(JSON.stringify(batch(tracks(3, crypto.randomUUID())))));
    expect((await workspace.post(CDP, body, withHeaders({ "Content-Encoding": name }))).body.stored).toBe(3);
  });

  it("§4.1 may have several members", async () => {
    const text = JSON.stringify(batch(tracks(3, crypto.randomUUID())));
    const members = [await gzip(utf8(text.slice(0, 40))), await gzip(utf8(text.slice(40)))];
    expect((await gzipped(Uint8Array.from(members.flatMap((member) => [...member])))).body.stored).toBe(3);
  });

  it("§4.1 §2 may contain the body's writeKey", async () => {
    const body = await gzip(utf8(JSON.stringify({ ...track(), writeKey: workspace.key })));
    expect((await sendWith(envWith({}), "POST", CDP, body, { headers: GZIP })).status).toBe(200);
  });

  it.each<[what: string, spoil: (whole: Uint8Array) => Uint8Array]>([
    ["is cut in the middle", (whole) => whole.slice(0, whole.byteLength >> 1)],
    ["lacks its last byte", (whole) => whole.slice(0, -1)],
    ["has other bytes after it", (whole) => Uint8Array.of(...whole, ...utf8("garbage"))],
    ["has a wrong checksum", (whole) => whole.with(whole.byteLength - 8, (whole.at(-8) ?? 0) ^ 1)],
    ["has a wrong byte", (whole) => whole.with(whole.byteLength >> 1, (whole.at(whole.byteLength >> 1) ?? 0) ^ 0xff)],
    ["is not gzip", () => utf8(JSON.stringify(track()))],
    ["is empty", () => new Uint8Array()],
  ])("§4.1 §8 that %s is 400 invalid_json", async (_what, spoil) => {
    const whole = await gzip(utf8(JSON.stringify(batch(tracks(20, crypto.randomUUID())))));
    const answer = await gzipped(spoil(whole));
    expect(answer).toMatchObject(refusal(400, "invalid_json"));
  });

  it("§4.1 must be declared: undeclared gzip is 400 invalid_json", async () => {
    const answer = await workspace.post(CDP, await gzip(utf8(JSON.stringify(track()))));
    expect(answer).toMatchObject(refusal(400, "invalid_json"));
  });
});
