const encoder = new TextEncoder();

/** The first parts of a list, as many as come to no more than so many bytes of HTML. */
export function fitting<Part extends { toString(): string }>(parts: readonly Part[], maxBytes: number): Part[] {
  let left = maxBytes;
  const end = parts.findIndex((part) => (left -= encoder.encode(part.toString()).byteLength) < 0);
  return parts.slice(0, end === -1 ? parts.length : end);
}
