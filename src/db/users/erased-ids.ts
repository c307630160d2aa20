/**
 * External ids of people who were erased. They give way to a control character, which no sender's id can hold, and the
 * internal id: rows that refer to the person stay whole, and nothing that is sent or asked ever names them again.
 */

/** Takes the place of an erased user's external id, in SQL. An account of one is named like its user, so it has the same. */
export const opaqueIdOf = (user: string): string => `char(1) || ${user}.id`;

/** Whether an external id is one that was sent, in SQL. */
export const isNameable = (externalId: string): string => `${externalId} >= ' '`;

/** An external id as reads show it: `null` once it was erased. */
export const shownId = (externalId: string): string | null => (externalId < " " ? null : externalId);
