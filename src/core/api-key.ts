/**
 * The scopes and the format of API keys: `bik_`, 24 random base62 characters (142 bits), and their CRC-32 as six more characters. With
 * the checksum the service refuses junk without a lookup, and secret scanners recognize a leaked key with certainty. Named
 * tokens of administrators have the same format, with `bia_`.
 */
export const ADMIN_TOKEN_PREFIX = "bia_";
const PREFIX = "bik_";
const RANDOM_CHARS = 24;
const CHECKSUM_CHARS = 6;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHAPE = new RegExp(`^[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

export const SCOPES = ["ingest", "identity", "ask", "read", "inbox", "notify"] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Makes a key from random bytes.
 * @param randomBytes returns `count` random bytes; called again if too many had to be discarded
 */
export function newApiKey(randomBytes: (count: number) => Uint8Array, prefix = PREFIX): string {
  let random = "";
  while (random.length < RANDOM_CHARS) {
    for (const byte of randomBytes(RANDOM_CHARS)) {
      // 248 is the largest multiple of 62 in a byte. Larger values would favor the first characters.
      if (byte < 248 && random.length < RANDOM_CHARS) random += BASE62.charAt(byte % 62);
    }
  }
  return prefix + random + checksum(random);
}

/** Returns whether a key has the right form and checksum. It may still not exist. */
export function isWellFormedApiKey(key: string, prefix = PREFIX): boolean {
  const text = key.slice(prefix.length);
  if (!key.startsWith(prefix) || !SHAPE.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_CHARS)) === text.slice(-CHECKSUM_CHARS);
}

/** Computes the CRC-32 (ISO 3309) of ASCII text, in base62. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = "";
  for (let index = 0; index < CHECKSUM_CHARS; index++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
