/** Identity traits, and the erasure of people. */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

import { IDENTITY_KEYS } from "../../core/identity/identity-request.ts";
import { instant } from "./columns.ts";

/**
 * What a company or a person is called. Written by the identity operation alone, under an agreement that stands, and
 * besides in `names`, by which questions find them.
 */
export const identityTraits = sqliteTable(
  "identity_traits",
  {
    workspace: integer("workspace").notNull(),
    subjectKind: text("subject_kind", { enum: ["account", "user"] }).notNull(),
    subject: integer("subject").notNull(),
    key: text("key", { enum: IDENTITY_KEYS }).notNull(),
    value: text("value").notNull(),
    attachedAt: instant("attached_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.subjectKind, table.subject, table.key] })],
);

/** Users whose erasure has begun, and how far it has come with the properties of their events. Gone once it is done. */
export const userErasures = sqliteTable(
  "user_erasures",
  {
    workspace: integer("workspace").notNull(),
    user: integer("user").notNull(),
    /** The seq to go on from, and the last that may be the user's. */
    nextSeq: integer("next_seq").notNull(),
    lastSeq: integer("last_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.user] })],
);
