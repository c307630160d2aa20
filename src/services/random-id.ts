import { hex } from "../core/hex.ts";

const ID_BYTES = 12;

/** Generates a public id: `<prefix>_` and 96 random bits in hex. */
export function randomId(prefix: string): string {
  return `${prefix}_${hex(crypto.getRandomValues(new Uint8Array(ID_BYTES)))}`;
}
