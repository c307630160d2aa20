/**
 * Sends as clients that hang up or lie about their body, to bare workerd over real sockets. workers/faults/bodies shows
 * bodies that stall or arrive byte by byte, for every write and encoding.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { buildWorker } from "../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";
import { chunk, type RawRequest, rawPost } from "./raw-request.ts";
import { Reader } from "./senders/stored.ts";

const LIMIT = 1_000;
const SIZE = 12;

let worker: ServedWorker;
let workspace: { id: string; key: string };
const open: RawRequest[] = [];
beforeAll(async () => {
  worker = await serveWorker(await buildWorker());
});
afterAll(() => worker[Symbol.asyncDispose]());
beforeEach(async () => {
  workspace = await worker.createWorkspace({ writeLimit: LIMIT });
});
afterEach(async () => {
  for (const request of open.splice(0)) await request.hangUp();
});

const BATCH = JSON.stringify({
  batch: Array.from({ length: SIZE }, (_, n) => {
    return { type: "track", messageId: `m${n}`, userId: "u1", event: "report.exported", context: { groupId: "acme" } };
  }),
});
const CAPTURE = JSON.stringify({ accountId: "acme", userId: "u1", event: "report.exported" });

/** A request and its framing. */
interface Form {
  form: string;
  path: string;
  body: Uint8Array;
  headers: (body: Uint8Array) => Record<string, string>;
  /** Turns a part of the body into the bytes on the wire. */
  frame: (part: Uint8Array) => Uint8Array;
  /** The bytes that end the body. */
  tail: Uint8Array;
  ids: string[];
}

const lengthOf = (body: Uint8Array) => ({ "Content-Length": String(body.byteLength) });
const ids = Array.from({ length: SIZE }, (_, n) => `m${n}`).toSorted();
const plain = { frame: (part: Uint8Array) => part, tail: Buffer.alloc(0) };
const chunked = { frame: chunk, tail: chunk(Buffer.alloc(0)) };
const CHUNKED = { "Transfer-Encoding": "chunked" };
const batch = { path: "/v1/batch", ids };

const FORMS: Form[] = [
  { form: "a batch", ...batch, body: Buffer.from(BATCH), headers: lengthOf, ...plain },
  { form: "a chunked batch", ...batch, body: Buffer.from(BATCH), headers: () => CHUNKED, ...chunked },
  {
    form: "a capture",
    path: "/api/v1/events",
    ids: ["key-1"],
    body: Buffer.from(CAPTURE),
    headers: (body) => ({ "Idempotency-Key": "key-1", ...lengthOf(body) }),
    ...plain,
  },
];

async function begin({ path, body, headers }: Form, more: Record<string, string> = {}): Promise<RawRequest> {
  const own = { Authorization: `Bearer ${workspace.key}`, ...headers(body), ...more };
  const request = await rawPost(worker.url, path, own);
  open.push(request);
  return request;
}

async function whole(form: Form): Promise<RawRequest> {
  const request = await begin(form);
  await request.write(Buffer.concat([form.frame(form.body), form.tail]));
  return request;
}

/** Sends another client's message. Returns how much of the write limit is used after it. */
async function usageAfterOneMore(): Promise<number> {
  const response = await fetch(`${worker.url}/api/v1/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${workspace.key}`, "idempotency-key": "other" },
    body: CAPTURE,
  });
  expect(response.status).toBe(200);
  await response.text();
  return LIMIT - Number(/r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]);
}

async function storedIds(): Promise<string[]> {
  const events = await new Reader(worker, workspace).events();
  return events.map(({ messageId }) => messageId).toSorted();
}

describe.each(FORMS)("$form", (form) => {
  const { body, frame } = form;
  const middle = body.byteLength >> 1;

  it("§7 §8 is not stored or charged when its sender hangs up in the middle, and is stored after a retry", async () => {
    const request = await begin(form);
    await request.write(frame(body.subarray(0, middle)));
    expect(await usageAfterOneMore()).toBe(1);
    await request.hangUp();
    expect(await usageAfterOneMore()).toBe(2);
    expect(await storedIds()).toEqual(["other"]);

    expect(await (await whole(form)).status()).toBe(200);
    expect(await storedIds()).toEqual([...form.ids, "other"]);
  });

  it("§8 is stored once when its sender hangs up before the response and retries", async () => {
    for (let time = 0; time < 5; time += 1) await (await whole(form)).hangUp();
    expect(await (await whole(form)).status()).toBe(200);
    expect(await storedIds()).toEqual(form.ids);
  });
});

it("§8 stores concurrent messages once each, although every second sender hangs up", async () => {
  const capture = FORMS.find(({ form }) => form === "a capture");
  if (capture === undefined) throw new Error("FORMS has no capture");
  await usageAfterOneMore();
  const names = Array.from({ length: 200 }, (_, n) => `met-${String(n).padStart(3, "0")}`);
  const requests = await Promise.all(names.map((name) => begin(capture, { "Idempotency-Key": name })));
  await Promise.all(
    requests.map(async (request, place) => {
      await request.write(capture.body);
      if (place % 2 === 0) await request.hangUp();
    }),
  );
  const staying = requests.filter((_, place) => place % 2 === 1);
  expect(await Promise.all(staying.map((request) => request.status()))).toEqual(staying.map(() => 200));
  const stored = (await storedIds()).filter((id) => id !== "other");
  expect(new Set(stored).size).toBe(stored.length);
  expect(stored).toEqual(expect.arrayContaining(names.filter((_, place) => place % 2 === 1)));

  // The senders that hung up retry.
  const again = await Promise.all(names.map((name) => begin(capture, { "Idempotency-Key": name })));
  await Promise.all(again.map((request) => request.write(capture.body)));
  expect(await Promise.all(again.map((request) => request.status()))).toEqual(again.map(() => 200));
  expect(await storedIds()).toEqual([...names, "other"]);
});

describe("§4.1 §8 a body that does not match its headers", () => {
  const [counted, inChunks] = FORMS;
  if (counted === undefined || inChunks === undefined) throw new Error("FORMS is empty");

  it("§4.1 is not stored or charged when it is shorter than Content-Length, although it is complete JSON", async () => {
    const request = await begin(counted, { "Content-Length": String(counted.body.byteLength + 1) });
    await request.write(counted.body);
    expect(await usageAfterOneMore()).toBe(1);
    request.end();
    expect([400, null]).toContain(await request.status());
    expect(await usageAfterOneMore()).toBe(2);
    expect(await storedIds()).toEqual(["other"]);
  });

  it.each([
    ["whose length is not a number", "zz\r\n"],
    ["that is longer than its length", "3\r\nabcdef\r\n0\r\n\r\n"],
    ["whose length is too large", "ffffffffffffffffff\r\n"],
  ])("§4.1 is not stored or charged when complete JSON is followed by a chunk %s", async (_what, broken) => {
    const request = await begin(inChunks);
    await request.write(Buffer.concat([inChunks.frame(inChunks.body), Buffer.from(broken)]));
    expect([400, null]).toContain(await request.status());
    expect(await usageAfterOneMore()).toBe(1);
    expect(await storedIds()).toEqual(["other"]);
  });
});
