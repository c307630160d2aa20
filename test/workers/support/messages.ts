/** Bodies that senders post. */

export type Fields = Record<string, unknown>;

/** Makes a track. */
export const track = (fields: Fields = {}): Fields => ({
  type: "track",
  userId: "u1",
  event: "report.exported",
  ...fields,
});

export const batch = (messages: unknown[]): Fields => ({ batch: messages });

/** Makes distinct messages, with ids from `<prefix>0`. */
export const tracks = (count: number, prefix = "m"): Fields[] =>
  Array.from({ length: count }, (_, place) => track({ messageId: `${prefix}${place}` }));

/** Makes a native capture. */
export const capture = (fields: Fields = {}): Fields => ({
  accountId: "acme",
  userId: "u1",
  event: "report.exported",
  ...fields,
});

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Adds properties so that `fields` has this many bytes as compact JSON in UTF-8. */
export function ofBytes(fields: Fields, bytes: number, filler = "x"): Fields {
  const left = bytes - utf8(JSON.stringify({ ...fields, properties: { pad: "" } })).byteLength;
  const size = utf8(filler).byteLength;
  const pad = filler.repeat(Math.floor(left / size)) + "x".repeat(left % size);
  return { ...fields, properties: { pad } };
}

/** Adds properties so that `fields` has this many levels, including its own. */
export function ofDepth(fields: Fields, levels: number): Fields {
  const inner = levels - 1;
  return { ...fields, properties: JSON.parse('{"a":'.repeat(inner - 1) + "{}" + "}".repeat(inner - 1)) };
}
