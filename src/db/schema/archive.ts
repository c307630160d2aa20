/** The manifest of the archive: which messages are in files. See docs/decisions/0027-the-archive.md. */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The files of the archive. A message is in the log or in one of these files, because one transaction adds the file and
 * deletes the messages. Keyed by the seq of the first message, like the log.
 */
export const archiveFiles = sqliteTable("archive_files", {
  first: integer("first").primaryKey(),
  last: integer("last").notNull(),
  /** On which the messages were received. */
  day: integer("day").notNull(),
  bytes: integer("bytes").notNull(),
  sha256: text("sha256").notNull(),
  /** The users in the file who are not erased, as `packUsers` lists them. */
  users: text("users").notNull(),
});

/** The messages that are being archived. They keep the file's name until it is recorded, so that no crash leaves another file. */
export const archiveSteps = sqliteTable("archive_steps", {
  workspace: integer("workspace").primaryKey(),
  first: integer("first").notNull(),
  last: integer("last").notNull(),
  day: integer("day").notNull(),
  /** Changes when a person is erased: a file with older messages is not recorded. */
  revision: integer("revision").notNull().default(0),
});

/** Erased users who may still be in files. */
export const archiveErasures = sqliteTable("archive_erasures", { user: integer("user").primaryKey() });
