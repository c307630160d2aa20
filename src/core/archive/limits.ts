/** The most messages of a file: docs/wire.md §17. */
export const MAX_FILE_MESSAGES = 50_000;
/** The most bytes of their rows, unless a single row is larger. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
