/** Columns and values that several tables have. */
import { integer } from "drizzle-orm/sqlite-core";

/** Milliseconds since the epoch. */
export const instant = (name: string) => integer(name, { mode: "number" });

/** By attribute name: the value, and the message that decided it, which a later one has to beat. */
export type StoredAttributes = Record<string, [value: string | number | null, occurredAt: number, seq: number]>;
