/** Section 4.1: the limits on the compatibility path, both sides of each. */
import { beforeAll, describe, expect, it } from "vitest";

import { gzip } from "../support/bytes.ts";
import { batch, ofBytes, ofDepth, track, tracks, utf8 } from "../support/messages.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const PATH = "/api/v1/cdp";
const MESSAGE = 16_384;
const BODY = 524_288;

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, place) => [`k${place}`, place]));

const FILLERS = [
  ["ASCII", "x"],
  ["2-byte characters", "é"],
  ["3-byte characters", "€"],
  ["4-byte characters", "😀"],
] as const;
const FORMS: [form: string, path: string, of: (message: unknown) => unknown][] = [
  ["in {batch}", PATH, (message) => batch([message])],
  ["in a bare array", PATH, (message) => [message]],
  ["wrapped as {json}", "/v1/batch", (message) => batch([{ json: message }])],
];

describe("§4.1 a message is at most 16 KB, as compact JSON in UTF-8", () => {
  it.each(FILLERS)(
    "§4.1 alone, 16,384 bytes of %s pass and 16,385 are 413 message_too_large",
    async (_what, filler) => {
      const fits = ofBytes(track(), MESSAGE, filler);
      expect(utf8(JSON.stringify(fits)).byteLength).toBe(MESSAGE);
      expect(await workspace.post(PATH, fits)).toMatchObject({ status: 200, body: { stored: 1 } });
      const over = await workspace.post(PATH, ofBytes(track(), MESSAGE + 1, filler));
      expect(over).toMatchObject({ status: 413, body: { ok: false, error: { code: "message_too_large" } } });
    },
  );

  it.each(FILLERS)(
    "§4.1 in a batch, 16,384 bytes of %s pass and 16,385 are listed in rejected",
    async (_what, filler) => {
      const messages = [
        ofBytes(track(), MESSAGE, filler),
        ofBytes(track({ messageId: "big" }), MESSAGE + 1, filler),
        track(),
      ];
      expect(await workspace.post(PATH, batch(messages))).toMatchObject({
        status: 200,
        body: { stored: 2, rejected: [{ index: 1, messageId: "big", code: "message_too_large" }] },
      });
    },
  );

  it.each(FORMS)("§4.1 %s the message itself is what counts", async (_form, path, of) => {
    expect((await workspace.post(path, of(ofBytes(track(), MESSAGE)))).body.stored).toBe(1);
    expect((await workspace.post(path, of(ofBytes(track(), MESSAGE + 1)))).body.rejected).toMatchObject([
      { code: "message_too_large" },
    ]);
  });

  it("§4.1 alone and of a type that is not taken, it is listed whatever its size", async () => {
    const large = ofBytes({ type: "page", userId: "u1" }, MESSAGE + 1);
    expect(await workspace.post(PATH, large)).toMatchObject({
      status: 200,
      body: { stored: 0, rejected: [{ code: "unsupported_type" }] },
    });
  });

  it("§4.1 blanks and escapes of a lone message do not count: it is compact JSON that is measured", async () => {
    const message = ofBytes(track(), MESSAGE, "é");
    const escaped = JSON.stringify(message, null, 8).replaceAll("é", "\\u00e9");
    expect(utf8(escaped).byteLength).toBeGreaterThan(2 * MESSAGE);
    expect((await workspace.post(PATH, escaped)).status).toBe(200);
    expect((await workspace.post(PATH, escaped.padEnd(BODY))).status).toBe(200);
  });

  it("§4.1 10,000 keys in one object are too many bytes: 413 alone, listed in a batch", async () => {
    const properties = Object.fromEntries(Array.from({ length: 10_000 }, (_, place) => [`k${place}`, place]));
    expect((await workspace.post(PATH, track({ properties }))).status).toBe(413);
    expect(await workspace.post(PATH, batch([track({ properties }), track()]))).toMatchObject({
      status: 200,
      body: { stored: 1, rejected: [{ index: 0, code: "message_too_large" }] },
    });
    expect(
      (await workspace.post("/api/v1/events", { accountId: "a", userId: "u", event: "e", properties })).status,
    ).toBe(413);
  });

  it("§4.1 §4.2 as many keys as fit are stored in properties; of traits 256 are", async () => {
    expect((await workspace.post(PATH, track({ properties: keys(1_200) }))).status).toBe(200);
    expect((await workspace.post(PATH, { type: "identify", userId: "many", traits: keys(1_200) })).status).toBe(200);
    const { body } = await workspace.get("/api/v1/users/many");
    expect(body["user"]).toMatchObject({ traits: keys(256) });
    expect(JSON.stringify(body["user"])).not.toContain('"k256"');
  });
});

/** A batch of 40 messages with 2-byte characters, filled up with blanks. */
const bodyOf = (bytes: number, prefix: string) => {
  const messages = Array.from({ length: 40 }, (_, place) =>
    ofBytes(track({ messageId: `${prefix}${place}` }), 13_000, "é"),
  );
  const text = JSON.stringify(batch(messages));
  return text + " ".repeat(bytes - utf8(text).byteLength);
};

describe("§4.1 the request body is at most 512 KB", () => {
  it("§4.1 524,288 bytes with multi-byte characters are stored", async () => {
    const body = bodyOf(BODY, "fits");
    expect(utf8(body).byteLength).toBe(BODY);
    expect(await workspace.post(PATH, body)).toMatchObject({ status: 200, body: { stored: 40 } });
  });

  it("§4.1 524,289 bytes are 413 batch_too_large, and nothing is stored", async () => {
    const own = await newWorkspace();
    expect(await own.post(PATH, bodyOf(BODY + 1, "over"))).toMatchObject({
      status: 413,
      body: { error: { code: "batch_too_large" } },
    });
    expect((await own.get("/api/v1/events")).body.events).toEqual([]);
  });

  it("§4.1 both sides hold for what gzip decodes to", async () => {
    const headers = { "Content-Encoding": "gzip" };
    const sent = async (bytes: number) =>
      workspace.post(PATH, await gzip(utf8(bodyOf(bytes, `zip${bytes}-`))), {
        headers: { Authorization: `Bearer ${workspace.key}`, ...headers },
      });
    expect(await sent(BODY)).toMatchObject({ status: 200, body: { stored: 40 } });
    expect(await sent(BODY + 1)).toMatchObject({ status: 413, body: { error: { code: "batch_too_large" } } });
  });
});

describe("§4.1 a batch has at most 1,000 messages", () => {
  it("§4.1 1,000 are stored", async () => {
    const own = await newWorkspace({ writeLimit: 1_000 });
    expect(await own.post(PATH, batch(tracks(1_000)))).toMatchObject({
      status: 200,
      body: { stored: 1_000, duplicates: 0, rejected: [] },
    });
  });

  it.each([
    ["in {batch}", batch],
    ["in a bare array", (messages: unknown[]) => messages],
  ])("§4.1 1,001 %s are 413 batch_too_large, and none is stored", async (_form, of) => {
    const own = await newWorkspace({ writeLimit: 10_000 });
    expect(await own.post(PATH, of(tracks(1_001)))).toMatchObject({
      status: 413,
      body: { error: { code: "batch_too_large" } },
    });
    expect((await own.get("/api/v1/events")).body.events).toEqual([]);
  });

  it("§4.1 messages that are none count too", async () => {
    const nothings = Array.from({ length: 1_001 }, () => null);
    expect((await workspace.post(PATH, nothings.slice(1))).body.rejected).toHaveLength(1_000);
    expect((await workspace.post(PATH, nothings)).status).toBe(413);
  });
});

describe("§4.1 a message is at most 32 levels deep", () => {
  it("§4.1 32 levels are stored", async () => {
    expect(await workspace.post(PATH, ofDepth(track(), 32))).toMatchObject({ status: 200, body: { stored: 1 } });
    expect(await workspace.post(PATH, batch([ofDepth(track(), 32)]))).toMatchObject({
      status: 200,
      body: { stored: 1 },
    });
  });

  it("§4.1 33 levels are an invalid message: 400 alone, listed in a batch", async () => {
    expect(await workspace.post(PATH, ofDepth(track(), 33))).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_message" } },
    });
    expect(await workspace.post(PATH, batch([track(), ofDepth(track({ messageId: "deep" }), 33)]))).toMatchObject({
      status: 200,
      body: { stored: 1, rejected: [{ index: 1, messageId: "deep", code: "invalid_message" }] },
    });
  });

  it("§4.1 of a native capture too", async () => {
    const fields = { accountId: "a", userId: "u", event: "e" };
    expect((await workspace.post("/api/v1/events", ofDepth(fields, 32))).status).toBe(200);
    expect((await workspace.post("/api/v1/events", ofDepth(fields, 33))).status).toBe(400);
  });

  it.each([1_000, 40_000, 120_000])("§4.1 %i levels are no fault of the service's", async (levels) => {
    const object = `${'{"a":'.repeat(Math.min(levels, 80_000))}1${"}".repeat(Math.min(levels, 80_000))}`;
    const array = "[".repeat(levels) + "]".repeat(levels);
    expect((await workspace.post(PATH, object)).status).toBe(400);
    expect(await workspace.post(PATH, array)).toMatchObject({
      status: 200,
      body: { rejected: [{ code: "invalid_message" }] },
    });
    const small = "[".repeat(Math.min(levels, 7_000)) + "]".repeat(Math.min(levels, 7_000));
    const ignored = await workspace.post(
      "/api/v1/events",
      `{"accountId":"a","userId":"u","event":"e","other":${small}}`,
    );
    expect(ignored).toMatchObject({ status: 200, body: { ignored: ["other"] } });
    expect(
      (await workspace.post("/api/v1/events", `{"accountId":"a","userId":"u","event":"e","properties":{"a":${small}}}`))
        .status,
    ).toBe(400);
  });
});
