/** Moves of workspaces between databases. See docs/decisions/0026-moving-a-workspace.md. */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import { instant } from "./columns.ts";

/** Where a move's copy continues. */
export interface CopyCursor {
  /** The rows that are being copied; `null` once only the tail is left. */
  range: string | null;
  /** The key of the last copied row of the range. */
  after: readonly (string | number | null)[] | null;
  /** The seqs of the last message and of the last changed subject that the copy contains. */
  log: number;
  changes: number;
  /** When the part began that saved it and held the source's lease. After a long pause, the copy starts again. */
  at: number;
}

/** The moves that are running, one per workspace. Part of the directory. */
export const moves = sqliteTable("moves", {
  workspace: integer("workspace").primaryKey(),
  from: text("from_database").notNull(),
  to: text("to_database").notNull(),
  /**
   * `copying` while the workspace is used at the source, `final` while writes are refused, `erasing` once it is used at
   * the target, `cancelling` while the copy is being deleted, `failed` when the copy differs from the source.
   */
  state: text("state", { enum: ["copying", "final", "erasing", "cancelling", "failed"] }).notNull(),
  /** `null` before the first row. */
  cursor: text("cursor", { mode: "json" }).$type<CopyCursor>(),
  rowsCopied: integer("rows_copied").notNull().default(0),
  rowsTotal: integer("rows_total").notNull().default(0),
  startedAt: instant("started_at").notNull(),
  switchedAt: instant("switched_at"),
  /** Why the last part failed; `null` once a later part succeeded. */
  fault: text("fault"),
  /** The part of the move that may change this row, and until when no other part takes over. */
  claim: text("claim"),
  claimedUntil: instant("claimed_until").notNull().default(0),
});

/**
 * Accounts and users that the API changed while their workspace was copied, numbered like messages. What ingest changed
 * is in the log.
 */
export const changedSubjects = sqliteTable("changed_subjects", {
  seq: integer("seq").primaryKey(),
  kind: text("kind", { enum: ["account", "user"] }).notNull(),
  subject: integer("subject").notNull(),
});
