const CODES = { quote: 0x22, backslash: 0x5c, open: 0x7b, close: 0x7d, bracket: 0x5b } as const;
const SPACES: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Finds the JSON of the first message in an array of messages, without parsing it: a signature covers its bytes as they
 * were sent.
 * @param body UTF-8
 * @returns `null` if the body isn't an array that begins with an object
 */
export function firstMessage(body: Uint8Array): Uint8Array | null {
  let index = 0;
  const skipSpaces = () => {
    while (SPACES.has(body[index])) index += 1;
  };
  skipSpaces();
  if (body[index] !== CODES.bracket) return null;
  index += 1;
  skipSpaces();
  if (body[index] !== CODES.open) return null;
  const start = index;
  let depth = 0;
  let inString = false;
  for (; index < body.length; index += 1) {
    const code = body[index];
    if (inString) {
      if (code === CODES.backslash) index += 1;
      else if (code === CODES.quote) inString = false;
    } else if (code === CODES.quote) inString = true;
    else if (code === CODES.open) depth += 1;
    else if (code === CODES.close) {
      depth -= 1;
      if (depth === 0) return body.subarray(start, index + 1);
    }
  }
  return null;
}
