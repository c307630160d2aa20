/** Section 20: what signed senders may send. The signatures are made as Segment's destination and as the standard's library make them. */
import { createHmac } from "node:crypto";
import { gzipSync } from "node:zlib";

import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { reseal } from "../../../src/services/sealing/reseal.ts";
import { envWith } from "../support/faulty-env.ts";
import { capture, track, tracks } from "../support/messages.ts";
import { refusal, send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NOW = Date.UTC(2100, 4, 6, 7);

let workspace: TestWorkspace;
let key: string;
let keyId: string;
let secret: string;

async function newSender(settings: object): Promise<void> {
  const { body } = await admin("POST", `/workspaces/${workspace.id}/keys`, { signed: true, ...settings });
  ({ key, id: keyId, signingSecret: secret = "" } = body.key ?? { key: "", id: "" });
}
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  await newSender({});
});
afterEach(() => {
  vi.useRealTimers();
});

type Headers = Record<string, string>;

/** As `extendRequest` of Segment's webhook destination signs what it sends. */
const sha1 = (data: unknown, by = secret) => createHmac("sha1", by).update(JSON.stringify(data), "utf8").digest("hex");
const older = (data: unknown) => ({ "X-Signature": sha1(Array.isArray(data) ? data[0] : data) });
const newer = (data: unknown) => ({ "X-Segment-Signature": sha1(data) });
const standard = (body: string, id = "msg_1", at = NOW, by = secret): Headers => ({
  "webhook-id": id,
  "webhook-timestamp": String(at / 1_000),
  "webhook-signature": new Webhook(by).sign(id, new Date(at), body),
});
const post = (body: unknown, headers: Headers, path = CDP) =>
  send("POST", path, body, { headers: { Authorization: `Bearer ${key}`, ...headers } });

const storedIds = async () =>
  (await workspace.get("/api/v1/events?limit=200")).body.events?.map(({ messageId }) => messageId);

async function expectRefused(body: unknown, headers: Headers, path = CDP): Promise<void> {
  const answer = await post(body, headers, path);
  expect(answer).toMatchObject(refusal(401, "invalid_signature"));
  expect(answer.headers.get("RateLimit")).toBeNull();
}

const sealedBy = () => env.DB.prepare("SELECT sealed_by FROM api_keys WHERE id = ?").bind(keyId).first("sealed_by");

const message = track({ messageId: "m1", properties: { café: "☕" } });

describe("§20 Segment's signature", () => {
  it.each([
    ["X-Signature of a message", message, older],
    ["X-Segment-Signature of a message", message, newer],
    ["X-Segment-Signature of a batch", tracks(3), newer],
    ["X-Signature of a batch of one", [message], newer],
  ])("§20 %s is accepted, gzipped too", async (_, data, headersOf) => {
    expect((await post(data, headersOf(data))).status).toBe(200);
    const zipped = await post(gzipSync(JSON.stringify(data)), { ...headersOf(data), "Content-Encoding": "gzip" });
    expect(zipped).toMatchObject({ status: 200, body: { deduped: true } });
  });

  it("§20 of only the first message of a batch needs a key with segmentBatches", async () => {
    const data = tracks(3);
    await expectRefused(data, older(data));
    await newSender({ segmentBatches: true });
    expect(await post(data, older(data))).toMatchObject({ status: 200, body: { stored: 3 } });
    await expectRefused([{ ...data[0], event: "forged" }, ...data.slice(1)], older(data));
    await expectRefused({ batch: data }, older(data));
    await expectRefused(data, { "X-Segment-Signature": sha1(data[0]) });
  });
});

describe("§20 a Standard Webhooks signature", () => {
  const body = JSON.stringify([track(), track({ messageId: "own" })]);

  it("§20 of the standard's library is accepted, and makes a replay a duplicate", async () => {
    expect(await post(body, standard(body))).toMatchObject({ status: 200, body: { stored: 2 } });
    vi.setSystemTime(NOW + 299_000);
    expect(await post(body, standard(body))).toMatchObject({ status: 200, body: { stored: 0, duplicates: 2 } });
    expect(await storedIds()).toEqual(expect.arrayContaining(["msg_1:0", "own"]));
    const event = JSON.stringify(capture());
    for (const deduped of [false, true]) {
      const answer = await post(event, standard(event, "msg_2"), "/api/v1/events");
      expect(answer).toMatchObject({ status: 200, body: { deduped } });
    }
  });

  it("§20 is any of several, and from a clock that is at most 5 minutes off", async () => {
    const { "webhook-signature": valid, ...rest } = standard(body);
    const several = `v1,${btoa("x".repeat(32))} v1a,junk v1,*** ${valid}`;
    expect((await post(body, { ...rest, "webhook-signature": several })).status).toBe(200);
    for (const at of [NOW - 300_000, NOW + 300_000]) {
      expect((await post(body, standard(body, `at_${at}`, at))).status).toBe(200);
    }
  });

  it.each<[string, (headers: Headers) => Headers]>([
    ["whose time is over", () => standard(body, "msg_1", NOW - 301_000)],
    ["whose time has not come", () => standard(body, "msg_1", NOW + 301_000)],
    ["of another secret", () => standard(body, "msg_1", NOW, `whsec_${btoa("x".repeat(32))}`)],
    ["with another id", (headers) => ({ ...headers, "webhook-id": "msg_2" })],
    ["with another time", (headers) => ({ ...headers, "webhook-timestamp": String(NOW / 1_000 + 1) })],
    ["with no number as its time", (headers) => ({ ...headers, "webhook-timestamp": "now" })],
    ["without an id", ({ "webhook-id": _id, ...rest }) => rest],
    ["with an id of 201 characters", () => standard(body, "x".repeat(201))],
    [
      "of another version",
      ({ "webhook-signature": text = "", ...rest }) => ({
        ...rest,
        "webhook-signature": text.replace("v1,", "v2,"),
      }),
    ],
    [
      "beside a valid one of Segment's",
      (headers) => ({
        ...headers,
        "webhook-signature": "v1,x",
        ...newer(JSON.parse(body)),
      }),
    ],
  ])("§20 %s is refused", async (_, change) => {
    await expectRefused(body, change(standard(body)));
    expect(await storedIds()).toEqual([]);
  });
});

describe("§20 a replay", () => {
  const body = JSON.stringify(capture());
  const answerTo = async (headers: Headers, path: string, sent = body) => {
    const answer = await post(sent, headers, path);
    return { status: answer.status, deduped: answer.body["deduped"] };
  };

  it("§20 with another Idempotency-Key is a duplicate", async () => {
    for (const deduped of [false, true]) {
      const headers = { ...standard(body), "Idempotency-Key": `key-${deduped}` };
      expect(await answerTo(headers, "/api/v1/events")).toEqual({ status: 200, deduped });
    }
  });

  it("§20 of Segment's signature without a messageId is a duplicate", async () => {
    for (const deduped of [false, true]) {
      expect(await answerTo(newer(JSON.parse(body)), "/api/v1/events")).toEqual({ status: 200, deduped });
    }
  });

  it("§20 on a path that would give it another meaning is 400", async () => {
    expect((await answerTo(standard(body), "/v1/track")).status).toBe(400);
    const typed = JSON.stringify({ ...capture(), type: "track" });
    expect((await answerTo(standard(typed), "/api/v1/events", typed)).status).toBe(400);
    expect((await answerTo(standard(typed, "msg_2"), "/v1/group", typed)).status).toBe(200);
    expect(await storedIds()).toEqual(["msg_2:0"]);
  });
});

describe("§20 a request with a signed key", () => {
  const path = "/v1/track";
  const body = JSON.stringify(message);

  it.each<[string, string | Uint8Array, () => Headers]>([
    ["without a signature", body, () => ({})],
    ["with an empty one", body, () => ({ "X-Signature": "" })],
    ["with one that is cut", body, () => ({ "X-Signature": sha1(message).slice(0, 38) })],
    ["with one of the key's text", body, () => ({ "X-Signature": sha1(message, key) })],
    ["with another body", body.replace("m1", "m2"), () => older(message)],
    ["with another encoding of the same JSON", body.replace("é", "\\u00e9"), () => older(message)],
    ["with a space more", `${body} `, () => older(message)],
    ["with a byte order mark", new TextEncoder().encode(`\ufeff${body}`), () => older(message)],
    ["that isn't JSON", "{", () => ({})],
  ])("§20 %s is 401, stores nothing and isn't charged", async (_, sent, headersOf) => {
    await expectRefused(sent, headersOf(), path);
    expect(await storedIds()).toEqual([]);
  });

  it("§20 is refused with the key in the body, and accepted with it in any header", async () => {
    const withKey = { ...message, writeKey: key };
    const headers = older(withKey);
    const bare = await send("POST", path, withKey, { headers });
    expect(bare).toMatchObject(refusal(401, "invalid_signature"));
    for (const credentials of [{ "X-Write-Key": key }, { Authorization: `Basic ${btoa(`${key}:`)}` }]) {
      expect((await send("POST", path, message, { headers: { ...older(message), ...credentials } })).status).toBe(200);
    }
  });

  it("§20 that is signed says what is wrong with its JSON", async () => {
    const headers = { "X-Signature": createHmac("sha1", secret).update("{").digest("hex") };
    expect(await post("{", headers)).toMatchObject(refusal(400, "invalid_json"));
  });

  it("§20 is accepted after the deployment's key for secrets has changed", async () => {
    const rotated = { SECRETS_KEY: "the-key-after-the-rotation-0123456789", SECRETS_KEY_PREVIOUS: env.SECRETS_KEY };
    const before = await sealedBy();
    await reseal(envWith(rotated), "DB");
    expect(await sealedBy()).not.toBe(before);
    await reseal(envWith({ SECRETS_KEY: env.SECRETS_KEY, SECRETS_KEY_PREVIOUS: rotated.SECRETS_KEY }), "DB");
    expect(await sealedBy()).toBe(before);
    expect((await post(message, older(message))).status).toBe(200);
  });
});
