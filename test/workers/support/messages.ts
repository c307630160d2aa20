/** Bodies that senders post. */

export type Fields = Record<string, unknown>;

/** Message by message; a body with several is `batch`. */
export const track = (fields: Fields = {}): Fields => ({
  type: "track",
  userId: "u1",
  event: "report.exported",
  ...fields,
});

export const batch = (messages: unknown[]): Fields => ({ batch: messages });

/** So many distinct messages, with ids `<prefix>0` and on. */
export const tracks = (count: number, prefix = "m"): Fields[] =>
  Array.from({ length: count }, (_, place) => track({ messageId: `${prefix}${place}` }));

/** A native capture. */
export const capture = (fields: Fields = {}): Fields => ({
  accountId: "acme",
  userId: "u1",
  event: "report.exported",
  ...fields,
});

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** `fields` with properties that make exactly so many bytes of it, as compact JSON in UTF-8. */
export function ofBytes(fields: Fields, bytes: number, filler = "x"): Fields {
  const left = bytes - utf8(JSON.stringify({ ...fields, properties: { pad: "" } })).byteLength;
  const size = utf8(filler).byteLength;
  const pad = filler.repeat(Math.floor(left / size)) + "x".repeat(left % size);
  return { ...fields, properties: { pad } };
}

/** `fields` with properties that make it so many levels deep, itself being the first. */
export function ofDepth(fields: Fields, levels: number): Fields {
  const inner = levels - 1;
  return { ...fields, properties: JSON.parse('{"a":'.repeat(inner - 1) + "{}" + "}".repeat(inner - 1)) };
}
