/** Section 4.1: what is tolerated of a body, and what odd bodies are answered. */
import { beforeAll, describe, expect, it } from "vitest";

import { batch, capture, type Fields, track, utf8 } from "../support/messages.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});

const withHeader = (name: string, value: string) => ({
  headers: { Authorization: `Bearer ${workspace.key}`, [name]: value },
});
const message = (fields: Fields = {}) => track({ messageId: crypto.randomUUID(), ...fields });

const bytes = (...values: number[]) => new Uint8Array(values);

const newest = async () => (await workspace.get("/api/v1/events?limit=1")).body.events?.[0];

describe("§4.1 forms of a body", () => {
  it.each<[form: string, body: unknown, stored: number]>([
    ["one message object", message(), 1],
    ["{batch}", batch([message(), message()]), 2],
    [
      "{batch} with the fields that libraries add",
      { ...batch([message()]), sentAt: "2026-01-01T00:00:00Z", context: {}, integrations: {} },
      1,
    ],
    ["a bare array", [message(), message()], 2],
    ["a bare array of one", [message()], 1],
    ["array items wrapped as {json}", batch([{ json: message() }, message(), { json: message() }]), 3],
    ["a bare array of wrapped items", [{ json: message() }], 1],
    ["an empty batch", { batch: [] }, 0],
    ["an empty array", [], 0],
  ])("§4.1 %s is read", async (_form, body, stored) => {
    expect(await workspace.post(CDP, body)).toMatchObject({
      status: 200,
      body: { ok: true, stored, duplicates: 0, rejected: [] },
    });
  });
});

describe("§4.1 any Content-Type or none", () => {
  const TYPES = [
    "application/json",
    "application/json; charset=utf-8",
    "text/plain",
    "text/plain;charset=UTF-8",
    "application/x-www-form-urlencoded",
  ].concat([
    "multipart/form-data",
    "application/octet-stream",
    "text/html",
    "application/json; charset=latin1",
    "x",
    "///",
    ";",
  ]);

  it.each(TYPES)("§4.1 %s", async (type) => {
    const init = withHeader("Content-Type", type);
    expect(await workspace.post(CDP, utf8(JSON.stringify(message())), init)).toMatchObject({
      status: 200,
      body: { stored: 1 },
    });
    expect((await workspace.post(NATIVE, utf8(JSON.stringify(capture())), init)).status).toBe(200);
  });

  it("§4.1 none at all", async () => {
    expect((await workspace.post(CDP, utf8(JSON.stringify(message())))).status).toBe(200);
    expect((await workspace.post(NATIVE, utf8(JSON.stringify(capture())))).status).toBe(200);
  });
});

describe("§4.1 any other Content-Encoding is 415", () => {
  it.each(["br", "deflate", "zstd", "compress", "x-gzip", "gzip, gzip", "gzip, br", "gzip;q=1", "x", "*"])(
    "§4.1 %s is unsupported_encoding",
    async (encoding) => {
      for (const path of [CDP, NATIVE, "/v1/batch"]) {
        expect(
          await workspace.post(path, utf8("{}"), withHeader("Content-Encoding", encoding)),
          `of ${path}`,
        ).toMatchObject({
          status: 415,
          body: { ok: false, error: { code: "unsupported_encoding" } },
        });
      }
    },
  );

  it("§4.1 identity is no encoding", async () => {
    expect(
      (await workspace.post(CDP, utf8(JSON.stringify(message())), withHeader("Content-Encoding", "identity"))).status,
    ).toBe(200);
  });
});

describe("§4.1 §8 bodies that are not what they should be", () => {
  const lone = '"type":"track","userId":"u1","event":"x"';
  it.each<[what: string, body: string | Uint8Array]>([
    ["nothing", ""],
    ["blanks", " \n\t "],
    ["half an object", `{${lone}`],
    ["a trailing comma", `{${lone},}`],
    ["a single quote", "{'a':1}"],
    ["NaN", '{"a":NaN}'],
    ["two values", "{}{}"],
    ["NUL bytes", "\u0000\u0000"],
    ["a form", "type=track&userId=u1"],
    ["a control character in a string", '{"a":"\u0001"}'],
    ["bytes that are not UTF-8", bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ["half a character of UTF-8", bytes(0x22, 0xe2, 0x82, 0x22)],
    ["a surrogate in UTF-8", bytes(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ["UTF-16", bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
  ])("§8 %s is 400 invalid_json", async (_what, body) => {
    for (const path of [CDP, NATIVE, "/v1/batch", "/v1/track"]) {
      expect(await workspace.post(path, body), `of ${path}`).toMatchObject({
        status: 400,
        body: { ok: false, error: { code: "invalid_json" } },
      });
    }
  });

  it.each(["null", "5", "1e999", "true", '"text"', '{"batch":null}', '{"batch":5}', '{"batch":{}}', '{"batch":"x"}'])(
    "§8 the JSON %s, which is no message and no batch, is 400 invalid_request",
    async (body) => {
      expect(await workspace.post(CDP, body)).toMatchObject({
        status: 400,
        body: { error: { code: "invalid_request" } },
      });
    },
  );

  it.each(["{}", '{"type":null}', '{"userId":"u1"}', '{"messages":[]}', '{"json":{}}'])(
    "§8 the JSON %s, one invalid message, is 400 invalid_message",
    async (body) => {
      expect(await workspace.post(CDP, body)).toMatchObject({
        status: 400,
        body: { error: { code: "invalid_message" } },
      });
    },
  );

  it("§4.5 a batch whose messages are all invalid is 200 with all of them in rejected", async () => {
    const { status, body } = await workspace.post(CDP, [null, 5, "x", true, [], {}, [[message()]], { json: null }]);
    expect([status, body.stored, body.duplicates, body.account, body.user]).toEqual([200, 0, 0, null, null]);
    expect(body.rejected?.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

describe("§4.1 odd but readable JSON", () => {
  it("§4.1 of duplicate keys the last one counts", async () => {
    const id = crypto.randomUUID();
    const text = `{"type":"group","type":"track","userId":"u0","userId":"u1","event":"x","messageId":"${id}","properties":{"a":1},"properties":{"a":2,"a":3}}`;
    expect((await workspace.post(CDP, text)).status).toBe(200);
    expect(await newest()).toMatchObject({ messageId: id, user: { externalId: "u1" }, properties: { a: 3 } });
  });

  it("§4.1 a BOM is read over", async () => {
    expect((await workspace.post(CDP, `\uFEFF${JSON.stringify(message())}`)).status).toBe(200);
    expect((await workspace.post(NATIVE, `\uFEFF${JSON.stringify(capture())}`)).status).toBe(200);
  });

  it("§4.1 __proto__ is a key like any other, and gives a message nothing", async () => {
    const properties = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":5}';
    expect(
      (await workspace.post(CDP, `{"type":"track","userId":"u1","event":"x","properties":${properties}}`)).status,
    ).toBe(200);
    expect(JSON.stringify((await newest())?.["properties"])).toBe(properties);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect((await workspace.post(CDP, '{"__proto__":{"type":"track","userId":"u1","event":"x"}}')).status).toBe(400);
    expect((await workspace.post(CDP, '{"__proto__":{"batch":[]}}')).status).toBe(400);
    expect((await workspace.post(NATIVE, '{"__proto__":{"accountId":"a","userId":"u","event":"e"}}')).status).toBe(400);
    expect(await workspace.post(NATIVE, JSON.stringify(capture()).replace("{", '{"__proto__":{"x":1},'))).toMatchObject(
      { status: 200, body: { ignored: ["__proto__"] } },
    );
  });

  it("§4.1 __proto__ is a trait like any other", async () => {
    const traits = '{"__proto__":"own","a":1}';
    expect((await workspace.post(CDP, `{"type":"identify","userId":"proto","traits":${traits}}`)).status).toBe(200);
    const { text } = await workspace.get("/api/v1/users/proto");
    expect(text).toContain('"__proto__":"own"');
  });

  it.each([
    ["in a value", String.raw`{"type":"track","userId":"u1","event":"x","properties":{"a":"\ud800 b"}}`],
    ["in a key", String.raw`{"type":"track","userId":"u1","event":"x","properties":{"\udfff":"b"}}`],
    ["in an id", String.raw`{"type":"track","userId":"u\ud800","event":"x","messageId":"\udc00m"}`],
    ["in an event", String.raw`{"type":"track","userId":"u1","event":"x\ud800y"}`],
    ["in a trait", String.raw`{"type":"identify","userId":"u1","traits":{"\ud800":"\udc00"}}`],
  ])("§4.1 §8 a lone surrogate %s is stored well formed, and can be read back", async (_where, text) => {
    expect(await workspace.post(CDP, text)).toMatchObject({ status: 200, body: { stored: 1 } });
    expect((await workspace.get("/api/v1/events")).status).toBe(200);
    expect((await workspace.get("/api/v1/users/u1")).status).toBe(200);
  });

  it("§4.1 §8 a lone surrogate in a native capture too", async () => {
    const text = String.raw`{"accountId":"a\ud800","userId":"u","event":"e","properties":{"a":"\ud800"}}`;
    expect((await workspace.post(NATIVE, text)).status).toBe(200);
    expect((await workspace.get("/api/v1/events")).status).toBe(200);
  });

  it("§4.1 a NUL in a value is kept, and in a key does no harm", async () => {
    expect((await workspace.post(CDP, message({ properties: { a: "x\u0000y", "\u0000": 1 } }))).status).toBe(200);
    expect(await newest()).toMatchObject({ properties: { a: "x\u0000y" } });
    const identify = { type: "identify", userId: "nul", traits: { a: "x\u0000y", "b\u0000": 1 } };
    expect((await workspace.post(CDP, identify)).status).toBe(200);
    expect(await workspace.get("/api/v1/users/nul")).toMatchObject({ body: { user: { traits: { a: "x\u0000y" } } } });
  });

  it("§4.1 numbers keep their value as far as JavaScript holds it", async () => {
    const text = JSON.stringify(message({ properties: { n: "N" } })).replace(
      '"N"',
      "[1e400,-0,1e-400,0.1,12345678901234567890,1E2]",
    );
    expect((await workspace.post(CDP, text)).status).toBe(200);
    expect(await newest()).toMatchObject({
      properties: { n: [null, expect.any(Number), 0, 0.1, 12_345_678_901_234_567_000, 100] },
    });
  });
});
