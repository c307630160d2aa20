/** Signs as Standard Webhooks 1.0.0 says: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const SECRET_BYTES = 32;
const PREFIX = "whsec_";

/** Makes a signing secret: `whsec_` and 32 random bytes in base64. */
export const newSigningSecret = (): string => PREFIX + base64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

/**
 * Returns the headers of a request.
 * @param id stays the same when the request is repeated
 * @param now milliseconds since the epoch
 */
export async function signatureHeaders(secret: string, id: string, body: string, now: number) {
  const timestamp = String(Math.floor(now / 1_000));
  const key = await crypto.subtle.importKey("raw", secretBytes(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const text = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = base64(new Uint8Array(await crypto.subtle.sign("HMAC", key, text)));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

/** Returns the bytes that a secret stands for. */
export const secretBytes = (secret: string): Uint8Array =>
  Uint8Array.from(atob(secret.slice(PREFIX.length)), (char) => char.charCodeAt(0));

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
