/** Shares of a database's size: docs/wire/storage.md §18. */

/** From here on ingest is refused: the rest is for the recompute and the archive, which make room. */
export const INGEST_SHARE = 0.98;
/** From here on a database takes no new workspace, and even messages of today are archived. */
export const FULL_SHARE = 0.9;
/** From here down it takes new workspaces again. */
export const ROOMY_SHARE = 0.8;
/** From here on its largest workspaces are archived early, until it is below the second share. */
export const ARCHIVE_EARLY_SHARE = 0.6;
export const ARCHIVED_SHARE = 0.5;
