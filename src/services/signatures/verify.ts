/** Checks the signatures of requests with a signed key: docs/wire/signatures.md §20. */
import { hex } from "../../core/hex.ts";
import { firstMessage } from "../../core/signatures/first-message.ts";
import type { KeyGrant } from "../../db/workspaces/api-keys.ts";
import { unseal } from "../sealing/sealing.ts";
import { secretBytes } from "./sign.ts";

export interface SignedRequest {
  headers: Headers;
  /** The decoded body. */
  body: Uint8Array;
  /** Milliseconds since the epoch. */
  receivedAt: number;
}

/** How far a sender's clock may be off, as Standard Webhooks recommends. */
const MAX_SKEW_MS = 5 * 60_000;
const MAX_SIGNATURES = 10;
/** Message ids are made of it. */
const MAX_ID_CHARS = 200;

/** A valid signature. The id names the request: a replay has the same one. */
export interface Signature {
  id: string;
}

/** @returns `null` without a valid signature @throws Error when the deployment no longer has the key of the secret */
export async function verifySignature(env: Env, grant: KeyGrant, request: SignedRequest): Promise<Signature | null> {
  const secret = await secretOf(env, grant);
  if (request.headers.has("webhook-signature")) return verifyWebhook(secret, request);
  return verifySegment(secret, request, grant.segmentBatches);
}

/** Standard Webhooks 1.0.0: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
async function verifyWebhook(secret: string, { headers, body, receivedAt }: SignedRequest): Promise<Signature | null> {
  const webhookId = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  if (webhookId === "" || webhookId.length > MAX_ID_CHARS || !/^\d{1,12}$/.test(timestamp)) return null;
  if (Math.abs(Number(timestamp) * 1_000 - receivedAt) > MAX_SKEW_MS) return null;
  const text = concat(new TextEncoder().encode(`${webhookId}.${timestamp}.`), body);
  const key = await importKey("SHA-256", secretBytes(secret));
  // Senders that change their secret sign with both.
  for (const signature of (headers.get("webhook-signature") ?? "").split(" ").slice(0, MAX_SIGNATURES)) {
    const bytes = signature.startsWith("v1,") ? fromBase64(signature.slice("v1,".length)) : null;
    if (bytes !== null && (await crypto.subtle.verify("HMAC", key, bytes, text))) return { id: webhookId };
  }
  return null;
}

/** Segment signs with the whole text of the secret. Its older header covers only the first message of a batch. */
async function verifySegment(
  secret: string,
  { headers, body }: SignedRequest,
  acceptsFirst: boolean,
): Promise<Signature | null> {
  const older = fromHex(headers.get("X-Signature"));
  const signature = fromHex(headers.get("X-Segment-Signature")) ?? older;
  if (signature === null) return null;
  const key = await importKey("SHA-1", new TextEncoder().encode(secret));
  if (await crypto.subtle.verify("HMAC", key, signature, body)) return { id: hex(signature) };
  const first = acceptsFirst && older !== null ? firstMessage(body) : null;
  if (first === null || older === null || !(await crypto.subtle.verify("HMAC", key, older, first))) return null;
  return { id: hex(older) };
}

/** Opened once for each lookup of a key. */
const secrets = new WeakMap<KeyGrant, Promise<string>>();

function secretOf(env: Env, grant: KeyGrant): Promise<string> {
  const known = secrets.get(grant);
  if (known !== undefined) return known;
  const { keyId: id, sealed, sealedBy } = grant;
  if (sealed === null || sealedBy === null) throw new Error("the key has no signing secret");
  const opened = unseal<{ signingSecret: string }>(env, { id, sealed, sealedBy }).then((read) => read.signingSecret);
  secrets.set(grant, opened);
  return opened;
}

const importKey = (hash: "SHA-1" | "SHA-256", secret: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", secret, { name: "HMAC", hash }, false, ["verify"]);

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const joined = new Uint8Array(head.length + tail.length);
  joined.set(head);
  joined.set(tail, head.length);
  return joined;
}

const fromHex = (text: string | null): Uint8Array | null =>
  text !== null && /^[0-9a-f]{40}$/i.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : null;

function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
