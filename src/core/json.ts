/** Anything that `parseJson` can return. Only what isn't stored yet has a bigint: `redact` writes it as text. */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

/** Returns whether a value is a JSON object: not an array, `null` or a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
