/** When a database counts as full: docs/operations.md. D1 ends at 10 GB, and deleting a row needs some room too. */
export const MAX_DATABASE_BYTES = 10_000_000_000;

/** From here on a database takes no new workspace, until it is smaller than the second number again. */
export const FULL_BYTES = 0.9 * MAX_DATABASE_BYTES;
export const ROOMY_BYTES = 0.8 * MAX_DATABASE_BYTES;
