/** Shares of a database's size: docs/wire/storage.md §18. */

/** Above this share ingest is refused. The recompute and the archive need the rest to make room. */
export const INGEST_SHARE = 0.98;
/** Above this share a database takes no new workspaces, and even messages of today are archived. */
export const FULL_SHARE = 0.9;
/** Below this share it takes new workspaces again. */
export const ROOMY_SHARE = 0.8;
/** Above the first share its largest workspaces are archived early, until it is below the second. */
export const ARCHIVE_EARLY_SHARE = 0.6;
export const ARCHIVED_SHARE = 0.5;
