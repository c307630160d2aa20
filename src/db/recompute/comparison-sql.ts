/** Keeps what a comparison of accounts has added up when its run must stop, so that the next run continues there. */
import type { ContextSums } from "../../core/health/workspace-context.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { MAX_PART_CHARACTERS, statement } from "../client/statements.ts";
import { comparisons } from "../schema/schema.ts";
import { mayWrite } from "./lease-sql.ts";
import type { Session } from "./session.ts";

export interface UnfinishedComparison {
  /** The last account that the sums contain. */
  after: number;
  sums: ContextSums;
}

const c = columnsOf(comparisons);

export const SELECT_COMPARISON = `SELECT ${c.part} AS part FROM ${c.table} WHERE ${c.workspace} = ?1 ORDER BY ${c.place}`;

export function readComparison(rows: readonly { part: string }[]): UnfinishedComparison | null {
  return rows.length === 0 ? null : JSON.parse(rows.map(({ part }) => part).join(""));
}

/** Runs with the statements that make the sums obsolete. ?2 is the run. */
export const DELETE_COMPARISON = `DELETE FROM ${c.table} WHERE ${c.workspace} = ?1 AND ${mayWrite("?2", "?1")}`;

const INSERT_PART = `
INSERT INTO ${c.table} (${c.workspace}, ${c.place}, ${c.part}) SELECT ?1, ?3, ?4 WHERE ${mayWrite("?2", "?1")}`;

export async function saveComparison(
  session: Session,
  { number }: WorkspaceRef,
  comparison: UnfinishedComparison,
): Promise<void> {
  const text = JSON.stringify(comparison);
  const places = Array.from({ length: Math.ceil(text.length / MAX_PART_CHARACTERS) }, (_, place) => place);
  await session.batch([
    statement(DELETE_COMPARISON, number, session.holder),
    ...places.map((place) => {
      const part = text.slice(place * MAX_PART_CHARACTERS, (place + 1) * MAX_PART_CHARACTERS);
      return statement(INSERT_PART, number, session.holder, place, part);
    }),
  ]);
}
