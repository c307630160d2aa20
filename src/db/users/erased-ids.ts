/**
 * Replaces the external ids of erased people by a control character, which no sender's id can contain, and the internal
 * id. Rows that refer to the person stay valid, and no message or question finds the person again.
 */
import { type AnyColumn, sql } from "drizzle-orm";

/** The SQL of an erased user's external id. A personal account has the same id as its user, so it is replaced too. */
export const opaqueIdOf = (userId: string): string => `char(1) || ${userId}`;

/** The SQL condition that an external id doesn't belong to an erased user. */
export const isNotErased = (externalId: string): string => `${externalId} >= ' '`;
/** The opposite, which an index on the external ids answers. With NOT, SQLite reads all users. */
export const isErased = (externalId: string): string => `${externalId} < ' '`;

/** Hides the external id of an erased person. */
export const shownId = (externalId: string): string | null => (externalId < " " ? null : externalId);

/** The same in SQL. */
export const shownIdOf = (externalId: AnyColumn) => sql<string | null>`iif(${externalId} < ' ', NULL, ${externalId})`;
