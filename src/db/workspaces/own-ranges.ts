/**
 * Finds the rows of a workspace in every table. Erasing and moving a workspace use the same list, and the type of
 * `COPIED` requires every table of the schema, so that neither can forget one.
 */
import { getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

import { typedKeys } from "../../core/typed-keys.ts";
import { primaryKeyOf } from "../client/columns-of.ts";
import { ownRange, type WorkspaceRef } from "../client/database.ts";
import type { Row, Statement, Value } from "../client/statement.ts";
import * as schema from "../schema/schema.ts";

type Tables<S> = { [Name in keyof S]: S[Name] extends SQLiteTable ? Name : never }[keyof S];
type InDirectory =
  | "databases"
  | "workspaces"
  | "apiKeys"
  | "agreements"
  | "moves"
  | "auditLog"
  | "adminTokens"
  | "people";
type OwnTable = Exclude<Tables<typeof schema>, InDirectory | "workspaceStates">;

/** The writers that may change the rows during a copy. They determine when to copy the rows. */
export type Copied =
  /** Ingest only appends. */
  | "log"
  /** Ingest and the API change the rows of single accounts and users. */
  | "subjects"
  /** Only the recompute and the archive, whose lease the move holds. */
  | "derived"
  /** Any writer, so a move copies these few rows while it refuses writes. */
  | "final"
  | "never";

const COPIED: Readonly<Record<OwnTable, Copied>> = {
  messages: "log",
  accounts: "subjects",
  users: "subjects",
  memberships: "subjects",
  traits: "subjects",
  identityTraits: "subjects",
  names: "subjects",
  pendingAttributeDays: "subjects",
  eventNames: "derived",
  rollups: "derived",
  userAccounts: "derived",
  workspaceDays: "derived",
  attributeDays: "derived",
  accountProgress: "derived",
  accountDays: "derived",
  workspaceContexts: "derived",
  health: "derived",
  healthDays: "derived",
  inboxItems: "derived",
  archiveFiles: "derived",
  archiveSteps: "final",
  archiveErasures: "final",
  rejections: "final",
  rejectionCounts: "final",
  dimensionValues: "final",
  folds: "final",
  inboxMarks: "final",
  accountOwners: "final",
  activities: "final",
  savedViews: "final",
  destinations: "final",
  notifications: "final",
  deliveryAttempts: "final",
  recomputeRuns: "final",
  userErasures: "final",
  changedSubjects: "never",
  // The next run starts its comparison again.
  comparisons: "never",
  leases: "never",
};

const tables: Pick<typeof schema, OwnTable> = schema;

/** A position in a table: values of the first columns of its key. */
export type Position = readonly Value[];

/** Consecutive rows of a table that belong to one workspace: those after `start`, up to `end`. */
export interface OwnRange {
  name: string;
  table: SQLiteTable;
  /** The table's name in SQL. */
  tableName: string;
  copied: Copied;
  /** The columns of the primary key. */
  key: readonly string[];
  start: Position;
  end: Position;
}

export function ownRanges(workspace: WorkspaceRef): OwnRange[] {
  const { number } = workspace;
  const { first, last } = ownRange(workspace);
  return typedKeys(COPIED).flatMap((name): OwnRange[] => {
    const table = tables[name];
    const key = primaryKeyOf(table);
    const range = { name, table, tableName: getTableName(table), copied: COPIED[name], key };
    if (name === "traits") {
      return ["account", "user"].map((kind) => ({
        ...range,
        name: `${name} ${kind}`,
        start: [kind, first - 1],
        end: [kind, last],
      }));
    }
    // Every other key begins with the workspace's number, or with a number in its range.
    const [start, end] = key[0] === "workspace" ? [number - 1, number] : [first - 1, last];
    return [{ ...range, start: [start], end: [end] }];
  });
}

/** The position of a row in its range. */
export const keyOf = ({ key }: OwnRange, row: Row | undefined): Position => key.map((name) => row?.[name] ?? null);

/** Whether a row is between the ends of its workspace's range: `traits` begin with a kind, and all others with a number. */
export const isOwn = ({ key, start, end }: OwnRange, row: Row): boolean =>
  end.every((last, index) => {
    const [value = null, before = null] = [row[key[index] ?? ""], start[index]];
    return typeof value === "number"
      ? value > Number(before) && value <= Number(last)
      : value === last && value === before;
  });

/** The condition that a row is in a range. */
export const isBetween = ({ key, start, end }: OwnRange): Statement => ({
  sql: `${tuple(key, start)} > ${marks(start)} AND ${tuple(key, end)} <= ${marks(end)}`,
  values: [...start, ...end],
});

const tuple = (key: readonly string[], { length }: Position): string => `(${key.slice(0, length).join(", ")})`;
const marks = (position: Position): string => `(${position.map(() => "?").join(", ")})`;
