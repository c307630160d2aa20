const encoder = new TextEncoder();

/** Takes elements from the start of a list as long as their HTML fits into `maxBytes`. */
export function takeBytes<Element extends { toString(): string }>(
  elements: readonly Element[],
  maxBytes: number,
): Element[] {
  let left = maxBytes;
  const end = elements.findIndex((element) => (left -= encoder.encode(element.toString()).byteLength) < 0);
  return elements.slice(0, end === -1 ? elements.length : end);
}
