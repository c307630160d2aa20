/**
 * The format of API keys: `bik_`, 24 random characters in base62 (142 bits), and a CRC-32 of those as six more. The
 * checksum lets junk be refused without a look-up, and secret scanners recognise a leaked key without a guess.
 */
const PREFIX = "bik_";
const RANDOM_CHARS = 24;
const CHECKSUM_CHARS = 6;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

/** All scopes that exist today. */
export const SCOPES = ["ingest", "identity", "ask", "read", "inbox"] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Makes a key from random bytes.
 * @param randomBytes returns that many random bytes; called again when too many had to be thrown away
 */
export function newApiKey(randomBytes: (count: number) => Uint8Array): string {
  let random = "";
  while (random.length < RANDOM_CHARS) {
    for (const byte of randomBytes(RANDOM_CHARS)) {
      // 248 is the largest multiple of 62 in a byte: taking more would favour the first characters.
      if (byte < 248 && random.length < RANDOM_CHARS) random += BASE62.charAt(byte % 62);
    }
  }
  return PREFIX + random + checksum(random);
}

/** True for keys that could have been made here. Says nothing of whether one was. */
export function isWellFormedApiKey(key: string): boolean {
  return SHAPE.test(key) && checksum(key.slice(PREFIX.length, -CHECKSUM_CHARS)) === key.slice(-CHECKSUM_CHARS);
}

/** CRC-32 (ISO 3309) of ASCII text, in base62. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (let place = 0; place < text.length; place++) {
    crc ^= text.charCodeAt(place);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = "";
  for (let place = 0; place < CHECKSUM_CHARS; place++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
