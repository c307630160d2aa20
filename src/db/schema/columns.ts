/** Column types that several tables share. */
import { integer } from "drizzle-orm/sqlite-core";

/** Milliseconds since the epoch. */
export const instant = (name: string) => integer(name, { mode: "number" });

/** By attribute name: the value, and the message that set it, which only a later message overrides. */
export type StoredAttributes = Record<string, [value: string | number | null, occurredAt: number, seq: number]>;
