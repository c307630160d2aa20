/**
 * Copies the rows of a workspace. Every call may be repeated: it replaces what an earlier one has written.
 */
import type { WorkspaceRef } from "../client/database.ts";
import { jsonParts, type Row, type Statement, statement } from "../client/statements.ts";
import type { Session } from "../recompute/session.ts";
import type { CopyCursor } from "../schema/moves.ts";
import { changedSubjects } from "../schema/schema.ts";
import { columnsOf } from "../client/columns-of.ts";
import { eraseRanges } from "../workspaces/erase-workspace.ts";
import { type Copied, isBetween, type OwnRange, ownRanges, type Position } from "../workspaces/own-ranges.ts";
import {
  aboutSubjects,
  type Checksum,
  checksumQuery,
  deleteSubjects,
  type Kind,
  mayCopy,
  pageQuery,
  subjectsQuery,
  valuesOf,
  writeRows,
} from "./copy-sql.ts";

/** A part of a move: its sessions have its claim as their holder. */
export interface Copy {
  workspace: WorkspaceRef;
  source: Session;
  target: Session;
}

/** Another part has taken over, or the workspace is being erased. */
export class ClaimLost extends Error {}

/** The copy differs from the source, which means a defect in the copying. */
export class CopyDiffers extends Error {
  constructor({ tableName }: OwnRange) {
    super(`The copy of ${tableName} differs from the source.`);
    this.name = "CopyDiffers";
  }
}

/** Subjects that are copied at once, with all their rows. */
const SUBJECTS_PER_STEP = 200;
const CHANGES_PER_STEP = 1_000;
/** A person's erasure may change a page between two statements. */
const MAX_ATTEMPTS = 3;

export const rangesOf = ({ workspace }: Copy, ...copied: Copied[]): OwnRange[] =>
  ownRanges(workspace).filter((range) => copied.includes(range.copied));

/** @throws ClaimLost */
async function write({ target, workspace: { number } }: Copy, statements: readonly Statement[]): Promise<void> {
  const { sql, values } = mayCopy({ holder: target.holder, number });
  const held = statement<{ held: number }>(`SELECT ${sql} AS held`, ...values);
  const results = await target.batch<readonly Statement<unknown>[]>([...statements, held]);
  const [row] = results.at(-1)?.results ?? [];
  if (JSON.stringify(row) !== '{"held":1}') throw new ClaimLost();
}

const writesOf = ({ target, workspace: { number } }: Copy, range: OwnRange, rows: readonly Row[]): Statement[] =>
  jsonParts(rows.map((row) => valuesOf(range, row))).map((part) =>
    writeRows(range, part, { holder: target.holder, number }),
  );

/**
 * Copies the next page of a range, and compares it, unless all of the range is compared in the end.
 * @returns its rows, none at the end of the range, and the position of the last one
 * @throws CopyDiffers
 */
export async function copyPage(copy: Copy, range: OwnRange, after: Position): Promise<{ rows: Row[]; last: Position }> {
  for (let attempt = 1; ; attempt += 1) {
    const [{ results: rows }] = await copy.source.batch([pageQuery(range, after)]);
    const row = rows.at(-1);
    if (row === undefined) return { rows, last: after };
    const last = range.key.map((name) => row[name] ?? null);
    await write(copy, writesOf(copy, range, rows));
    if (range.copied === "subjects" || range.copied === "final") return { rows, last };
    if ((await findDifference(copy, [{ ...range, start: after, end: last }])) === undefined) return { rows, last };
    if (attempt === MAX_ATTEMPTS) throw new CopyDiffers(range);
  }
}

/** Replaces all rows of a range. */
export async function copyAgain(copy: Copy, range: OwnRange): Promise<void> {
  await clearTarget(copy, [range], () => false);
  for (let page = await copyPage(copy, range, range.start); page.rows.length > 0;) {
    page = await copyPage(copy, range, page.last);
  }
}

/** Deletes what an earlier copy has left at the target. @returns whether nothing is left */
export const clearTarget = (
  { target, workspace: { number } }: Copy,
  ranges: readonly OwnRange[],
  isOver: () => boolean,
): Promise<boolean> => eraseRanges(target.db, ranges, isOver, mayCopy({ holder: target.holder, number }));

/** Compares whole ranges. @throws CopyDiffers */
export async function compare(copy: Copy, ranges: readonly OwnRange[]): Promise<void> {
  const different = await findDifference(copy, ranges);
  if (different !== undefined) throw new CopyDiffers(different);
}

async function findDifference({ source, target }: Copy, ranges: readonly OwnRange[]): Promise<OwnRange | undefined> {
  const queries = ranges.map(checksumQuery);
  const [at, copied] = await Promise.all([
    source.batch<readonly Statement<Checksum>[]>(queries),
    target.batch<readonly Statement<Checksum>[]>(queries),
  ]);
  return ranges.find((_, place) => JSON.stringify(at[place]?.results) !== JSON.stringify(copied[place]?.results));
}

const c = columnsOf(changedSubjects);

/**
 * Copies the messages since the cursor, and all rows of the accounts and users that they or the API have changed.
 * @returns the new cursor, and how many messages and subjects were left to copy
 */
export async function copyTail(copy: Copy, cursor: CopyCursor): Promise<{ cursor: CopyCursor; copied: number }> {
  const [[log], [changed]] = [
    rangesOf(copy, "log"),
    ownRanges(copy.workspace).filter(({ table }) => table === changedSubjects),
  ];
  if (log === undefined || changed === undefined) throw new Error("a table is missing in the list");
  const { rows: messages } = await copyPage(copy, log, [cursor.log]);
  const [{ results: changes }] = await copy.source.batch([
    statement<{ seq: number; kind: Kind; subject: number }>(
      `SELECT ${c.seq} AS seq, ${c.kind} AS kind, ${c.subject} AS subject FROM ${c.table}
      WHERE ${isBetween(changed, [cursor.changes], changed.end)} ORDER BY ${c.seq} LIMIT ${CHANGES_PER_STEP}`,
      cursor.changes,
      ...changed.end,
    ),
  ]);
  for (const kind of ["account", "user"] as const) {
    const named = messages.map((message) => Number(message[kind] ?? 0));
    const marked = changes.filter((change) => change.kind === kind).map(({ subject }) => subject);
    const subjects = [...new Set([...named, ...marked])].filter((number) => number !== 0);
    for (let from = 0; from < subjects.length; from += SUBJECTS_PER_STEP) {
      await copySubjects(copy, kind, subjects.slice(from, from + SUBJECTS_PER_STEP));
    }
  }
  return {
    cursor: {
      ...cursor,
      log: Number(messages.at(-1)?.["seq"] ?? cursor.log),
      changes: changes.at(-1)?.seq ?? cursor.changes,
    },
    copied: messages.length + changes.length,
  };
}

/** Replaces all rows of accounts or users. */
async function copySubjects(copy: Copy, kind: Kind, subjects: readonly number[]): Promise<void> {
  const numbers = JSON.stringify(subjects);
  const parts = rangesOf(copy, "subjects").flatMap((range) => {
    const about = aboutSubjects(range, kind);
    return about === null ? [] : [{ range, about }];
  });
  const found = await copy.source.batch<readonly Statement<Row>[]>(
    parts.map(({ range, about }) => subjectsQuery(range, about, numbers)),
  );
  const writer = { holder: copy.target.holder, number: copy.workspace.number };
  await write(
    copy,
    parts.flatMap(({ range, about }, place) => [
      deleteSubjects(range, about, numbers, writer),
      ...writesOf(copy, range, found[place]?.results ?? []),
    ]),
  );
}
