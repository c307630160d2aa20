/** Column types that several tables share. */
import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, check, integer } from "drizzle-orm/sqlite-core";

/** Milliseconds since the epoch. */
export const instant = (name: string) => integer(name, { mode: "number" });

/** By attribute name: the value, and the message that set it, which only a later message overrides. */
export type StoredAttributes = Record<string, [value: string | number | null, occurredAt: number, seq: number]>;

/** Keeps a row in its workspace's range, because erasing and copying a workspace find its rows by number. */
export const ownRangeCheck = (name: string, number: AnySQLiteColumn, workspace: AnySQLiteColumn) =>
  check(name, sql`${number} >> 32 = ${workspace}`);
