/** Section 4.1 over HTTP: both sides of each limit of compatibility messages. */
import { beforeAll, describe, expect, it } from "vitest";

import { gzip } from "../support/bytes.ts";
import { batch, ofBytes, ofDepth, track, tracks, utf8 } from "../support/messages.ts";
import { refusal } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const PATH = "/api/v1/cdp";
const MESSAGE = 16_384;
const BODY = 524_288;

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, place) => [`k${place}`, place]));
const tooLarge = (code: string) => refusal(413, code);

describe("§4.1 a message", () => {
  it("§4.1 has at most 16,384 bytes: one more is 413 alone, and in a batch it is listed in rejected", async () => {
    const [fits, over] = [ofBytes(track(), MESSAGE, "é"), ofBytes(track({ messageId: "big" }), MESSAGE + 1, "é")];
    expect((await workspace.post(PATH, fits)).body.stored).toBe(1);
    expect(await workspace.post(PATH, over)).toMatchObject(tooLarge("message_too_large"));
    expect(await workspace.post(PATH, batch([fits, over, track()]))).toMatchObject({
      status: 200,
      body: { stored: 2, rejected: [{ index: 1, messageId: "big", code: "message_too_large" }] },
    });
  });

  it("§4.1 is measured as compact JSON: blanks and escapes don't count", async () => {
    const escaped = JSON.stringify(ofBytes(track(), MESSAGE, "é"), null, 8).replaceAll("é", "\\u00e9");
    expect((await workspace.post(PATH, escaped.padEnd(BODY))).status).toBe(200);
  });

  it("§4.1 §4.2 keeps all its properties and the first 256 traits", async () => {
    expect((await workspace.post(PATH, track({ properties: keys(1_200) }))).status).toBe(200);
    expect((await workspace.get("/api/v1/events?limit=1")).body.events).toMatchObject([{ properties: keys(1_200) }]);
    expect((await workspace.post(PATH, { type: "identify", userId: "many", traits: keys(1_200) })).status).toBe(200);
    expect(Object((await workspace.get("/api/v1/users/many")).body.user).traits).toEqual(keys(256));
  });

  it("§4.1 has at most 32 levels: one more is 400 alone, and in a batch it is listed in rejected", async () => {
    const [fits, over] = [ofDepth(track(), 32), ofDepth(track({ messageId: "deep" }), 33)];
    expect((await workspace.post(PATH, fits)).body.stored).toBe(1);
    expect(await workspace.post(PATH, over)).toMatchObject(refusal(400, "invalid_message"));
    expect(await workspace.post(PATH, batch([fits, over]))).toMatchObject({
      status: 200,
      body: { stored: 1, rejected: [{ index: 1, messageId: "deep", code: "invalid_message" }] },
    });
  });

  it.each([1_000, 120_000])("§4.1 may have %i levels without causing a server error", async (levels) => {
    const array = "[".repeat(levels) + "]".repeat(levels);
    expect(await workspace.post(PATH, array)).toMatchObject({
      status: 200,
      body: { rejected: [{ code: "invalid_message" }] },
    });
    const depth = Math.min(levels, 80_000);
    expect((await workspace.post(PATH, `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`)).status).toBe(400);
    const small = array.slice(Math.max(0, levels - 7_000), levels + 7_000);
    const capture = (field: string) => `{"accountId":"a","userId":"u","event":"e","${field}":{"a":${small}}}`;
    expect(await workspace.post("/api/v1/events", capture("other"))).toMatchObject({ body: { ignored: ["other"] } });
    expect((await workspace.post("/api/v1/events", capture("properties"))).status).toBe(400);
  });
});

/** A batch of 40 messages with 2-byte characters, padded with blanks. */
const bodyOf = (bytes: number, prefix: string) => {
  const messages = Array.from({ length: 40 }, (_, place) =>
    ofBytes(track({ messageId: `${prefix}${place}` }), 13_000, "é"),
  );
  const text = JSON.stringify(batch(messages));
  return text + " ".repeat(bytes - utf8(text).byteLength);
};

describe("§4.1 a request body", () => {
  it("§4.1 has at most 524,288 bytes: one more is 413 batch_too_large, and nothing is stored", async () => {
    const own = await newWorkspace();
    expect(await own.post(PATH, bodyOf(BODY + 1, "over"))).toMatchObject(tooLarge("batch_too_large"));
    expect((await own.get("/api/v1/events")).body.events).toEqual([]);
    expect(await own.post(PATH, bodyOf(BODY, "fits"))).toMatchObject({ status: 200, body: { stored: 40 } });
  });

  it("§4.1 is measured after gzip is decoded", async () => {
    const headers = { Authorization: `Bearer ${workspace.key}`, "Content-Encoding": "gzip" };
    const sent = async (bytes: number) =>
      workspace.post(PATH, await gzip(utf8(bodyOf(bytes, `zip${bytes}-`))), { headers });
    expect(await sent(BODY)).toMatchObject({ status: 200, body: { stored: 40 } });
    expect(await sent(BODY + 1)).toMatchObject(tooLarge("batch_too_large"));
  });
});

it("§4.1 stores a batch of 1,000 messages, rejects one of 1,001, and stores none of its messages", async () => {
  const own = await newWorkspace({ writeLimit: 10_000 });
  for (const body of [batch(tracks(1_001)), tracks(1_001), Array.from({ length: 1_001 }, () => null)]) {
    expect(await own.post(PATH, body)).toMatchObject(tooLarge("batch_too_large"));
  }
  expect((await own.get("/api/v1/events")).body.events).toEqual([]);
  expect((await own.post(PATH, batch(tracks(1_000)))).body).toMatchObject({ stored: 1_000, rejected: [] });
});
