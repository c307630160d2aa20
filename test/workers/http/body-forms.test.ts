/** Section 4.1: which bodies the ingest operations read, and their responses to others. */
import { beforeAll, describe, expect, it } from "vitest";

import { batch, capture, type Fields, track, utf8 } from "../support/messages.ts";
import { refusal } from "../support/send.ts";
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

describe("§4.1 a body", () => {
  it("§4.1 has a context for all its messages, and is refused whole if that is too large or too deep", async () => {
    const send = (context: unknown) => workspace.post(CDP, { ...batch([message({ userId: "c1" })]), context });
    expect((await send({ traits: { accountId: "of-batch" } })).body.account).toMatchObject({ externalId: "of-batch" });
    const large = { ...batch([message(), message()]), context: { traits: "x".repeat(300_000) } };
    expect(await workspace.post(CDP, large)).toMatchObject(refusal(413, "batch_too_large"));
    const deep = JSON.parse('{"traits":'.repeat(40) + "{}" + "}".repeat(40));
    expect(await send(deep)).toMatchObject(refusal(400, "invalid_request"));
  });

  it.each<[form: string, body: unknown, stored: number]>([
    ["one message", message(), 1],
    ["a batch with the fields that libraries add", { ...batch([message()]), sentAt: "2026-01-01T00:00:00Z" }, 1],
    ["a bare array", [message(), message()], 2],
    ["a batch of messages wrapped as {json}", batch([{ json: message() }, message()]), 2],
    ["an empty batch", { batch: [] }, 0],
    ["an empty array", [], 0],
  ])("§4.1 is %s", async (_form, body, stored) => {
    expect(await workspace.post(CDP, body)).toMatchObject({
      status: 200,
      body: { ok: true, stored, duplicates: 0, rejected: [] },
    });
  });

  it.each([
    "text/plain;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "///",
    undefined,
  ])("§4.1 may have the Content-Type %s", async (type) => {
    const init = type === undefined ? undefined : withHeader("Content-Type", type);
    expect((await workspace.post(CDP, utf8(JSON.stringify(message())), init)).body.stored).toBe(1);
    expect((await workspace.post(NATIVE, utf8(JSON.stringify(capture())), init)).status).toBe(200);
  });

  it.each(["br", "deflate", "gzip, gzip", "gzip, identity", "gzip;q=1", "x-gzip;q=1", "*"])(
    "§4.1 with the Content-Encoding %s is 415 unsupported_encoding",
    async (encoding) => {
      for (const path of [CDP, NATIVE]) {
        expect(await workspace.post(path, utf8("{}"), withHeader("Content-Encoding", encoding))).toMatchObject(
          refusal(415, "unsupported_encoding"),
        );
      }
    },
  );

  it("§4.1 may have the Content-Encoding identity", async () => {
    const init = withHeader("Content-Encoding", "identity");
    expect((await workspace.post(CDP, utf8(JSON.stringify(message())), init)).status).toBe(200);
  });

  it("§4.1 may start with a byte order mark", async () => {
    expect((await workspace.post(CDP, `\uFEFF${JSON.stringify(message())}`)).status).toBe(200);
    expect((await workspace.post(NATIVE, `\uFEFF${JSON.stringify(capture())}`)).status).toBe(200);
  });
});

const textWith = (numbers: string) => JSON.stringify(message({ properties: { n: "N" } })).replace('"N"', numbers);

describe("§4.1 §8 a bad body", () => {
  it.each<[what: string, body: string, position: number]>([
    ["that is empty", "", 0],
    ["of blanks", " \n\t ", 4],
    ["that is cut off", '{"type":"track","userId":"u1"', 29],
    ["with NaN in a batch", '{"batch":[{"type":"track","properties":{"a":1}},{"b":"😀","c":NaN}]}', 61],
    ["of two values", "{}{}", 2],
    ["with a control character in a string", '{"a":"\u0001"}', 6],
    ["with a comma at the end", '{"a":1,}', 7],
  ])("§4.1 %s is 400 invalid_json, with the position", async (_what, body, position) => {
    for (const path of [CDP, NATIVE, "/v1/track"]) {
      const answer = await workspace.post(path, body);
      expect(answer).toMatchObject(refusal(400, "invalid_json"));
      expect(answer.body.error?.message).toBe(`Invalid JSON body at position ${position}.`);
    }
  });

  it.each<[what: string, body: Uint8Array]>([
    ["with half a character of UTF-8", bytes(0x22, 0xe2, 0x82, 0x22)],
    ["with a surrogate in UTF-8", bytes(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ["in UTF-16", bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
  ])("§8 %s is 400 invalid_json", async (_what, body) => {
    for (const path of [CDP, NATIVE]) {
      expect(await workspace.post(path, body)).toMatchObject(refusal(400, "invalid_json"));
    }
  });

  it.each([
    ["null", "invalid_request"],
    ["5", "invalid_request"],
    ['{"batch":{}}', "invalid_request"],
    ["{}", "invalid_message"],
    ['{"type":null}', "invalid_message"],
    ['{"json":{}}', "invalid_message"],
  ])("§8 %s is 400 %s", async (body, code) => {
    expect(await workspace.post(CDP, body)).toMatchObject(refusal(400, code));
  });
});

describe("§4.1 unusual JSON", () => {
  it("§4.1 repeats a key: the last one counts", async () => {
    const text = '{"type":"group","type":"track","userId":"u0","userId":"u1","event":"x","properties":{"a":2,"a":3}}';
    expect((await workspace.post(CDP, text)).status).toBe(200);
    expect(await newest()).toMatchObject({ user: { externalId: "u1" }, properties: { a: 3 } });
  });

  it("§4.1 has the key __proto__, which changes no message", async () => {
    const properties = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":5}';
    await workspace.post(CDP, `{"type":"track","userId":"u1","event":"x","properties":${properties}}`);
    expect(JSON.stringify((await newest())?.["properties"])).toBe(properties);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect((await workspace.post(CDP, '{"__proto__":{"type":"track","userId":"u1","event":"x"}}')).status).toBe(400);
    expect((await workspace.post(CDP, '{"__proto__":{"batch":[]}}')).status).toBe(400);
    expect((await workspace.post(NATIVE, '{"__proto__":{"accountId":"a","userId":"u","event":"e"}}')).status).toBe(400);
  });

  it.each([
    ["value", CDP, String.raw`{"type":"track","userId":"u1","event":"x","properties":{"a":"\ud800 b"}}`],
    ["key", CDP, String.raw`{"type":"track","userId":"u1","event":"x","properties":{"\udfff":"b"}}`],
    ["event", CDP, String.raw`{"type":"track","userId":"u1","event":"x\ud800y"}`],
    ["trait", CDP, String.raw`{"type":"identify","userId":"u1","traits":{"\ud800":"\udc00"}}`],
    ["capture", NATIVE, String.raw`{"accountId":"a","userId":"u","event":"e","properties":{"a":"\ud800"}}`],
  ])("§4.1 §8 has a lone surrogate in a %s, which is stored well-formed", async (_where, path, text) => {
    expect((await workspace.post(path, text)).status).toBe(200);
    expect((await workspace.get("/api/v1/events")).status).toBe(200);
    expect((await workspace.get("/api/v1/users/u1")).status).toBe(200);
  });

  it.each([
    ["userId", CDP, String.raw`{"type":"track","userId":"u\ud800","event":"x"}`, "invalid_message"],
    ["messageId", CDP, String.raw`{"type":"track","userId":"u1","event":"x","messageId":"\udc00m"}`, "invalid_message"],
    [
      "properties.accountId",
      CDP,
      String.raw`{"type":"track","userId":"u1","event":"x","properties":{"accountId":"\ud83d"}}`,
      "invalid_message",
    ],
    ["accountId", NATIVE, String.raw`{"accountId":"a\ud800","userId":"u","event":"e"}`, "invalid_request"],
  ])("§3 §4.2 has no lone surrogate in %s of %s, which would name another", async (path, to, text, code) => {
    const answer = await workspace.post(to, text);
    expect(answer).toMatchObject(refusal(400, code, path));
    expect(answer.text).toContain("must not contain lone surrogates");
  });

  it("§4.1 has NUL in values and keys", async () => {
    expect((await workspace.post(CDP, message({ properties: { a: "x\u0000y", "\u0000": 1 } }))).status).toBe(200);
    expect(await newest()).toMatchObject({ properties: { a: "x\u0000y" } });
    await workspace.post(CDP, { type: "identify", userId: "nul", traits: { a: "x\u0000y", "b\u0000": 1 } });
    expect(await workspace.get("/api/v1/users/nul")).toMatchObject({ body: { user: { traits: { a: "x\u0000y" } } } });
  });

  it("§4.2 has numbers beyond the precision of JavaScript, but none beyond a double", async () => {
    expect((await workspace.post(CDP, textWith("[1e-400,0.1,12345678901234567890,1e20]"))).status).toBe(200);
    const stored = [0, 0.1, "12345678901234567890", "100000000000000000000"];
    expect(await newest()).toMatchObject({ properties: { n: stored } });
    expect(await workspace.post(CDP, textWith("[1e400]"))).toMatchObject({
      ...refusal(400, "invalid_message"),
      body: { error: { issues: [{ path: "properties.n.0" }] } },
    });
  });
});
