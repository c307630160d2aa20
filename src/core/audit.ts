/** The audit log of administration: docs/wire/admin.md §9.2. Its rows have no secret, no external id and no person's name. */
export const AUDIT_ACTIONS = [
  "workspace_created",
  "workspace_changed",
  "workspace_erased",
  "key_created",
  "key_changed",
  "key_rotated",
  "key_revoked",
  "agreement_accepted",
  "agreement_withdrawn",
  "move_started",
  "move_cancelled",
  "restore_started",
  "rebuild_requested",
  "recompute_requested",
  "archive_requested",
  "database_changed",
  "reconcile_requested",
  "destination_created",
  "destination_changed",
  "destination_deleted",
  "import_started",
  "import_ended",
  "admin_token_created",
  "admin_token_deleted",
  "person_added",
  "person_changed",
  "person_removed",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * `admin` is the admin token on the API, `admin:` a named one with this id, `key:` a key on the API, `console:` a session of
 * `admin`, of the key or of the person with this id, `cron` the service itself.
 */
export type Actor = "admin" | `admin:${string}` | `key:${string}` | `console:${string}` | "cron";

/** What the log says of one change. */
export interface AuditEntry {
  /** The workspace's id; `null` for a change of the deployment. */
  workspace: string | null;
  actor: Actor;
  action: AuditAction;
  details?: Readonly<Record<string, unknown>>;
}
