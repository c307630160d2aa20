/** Copies the rows of a workspace. Every call may be repeated: it replaces what an earlier one has written. */
import { columnsOf } from "../client/columns-of.ts";
import { ownRange } from "../client/database.ts";
import { prepareQuery } from "../client/prepare.ts";
import type { Row, Statement } from "../client/statement.ts";
import type { CopyCursor } from "../schema/workspaces.ts";
import { changedSubjects } from "../schema/schema.ts";
import { eraseRanges } from "../workspaces/erase-workspace.ts";
import { type Copied, isOwn, keyOf, type OwnRange, ownRanges, type Position } from "../workspaces/own-ranges.ts";
import { ClaimLost } from "./move-records.ts";
import {
  type Checksum,
  checksumQuery,
  type Copy,
  deleteRows,
  type Kind,
  mayCopy,
  pageQuery,
  rowsAbout,
  selectRows,
  writeRows,
} from "./copy-sql.ts";

/** The copy differs from the source, which means a defect in the copying. */
export class CopyDiffers extends Error {
  constructor({ tableName }: OwnRange) {
    super(`The copy of ${tableName} differs from the source.`);
    this.name = "CopyDiffers";
  }
}

/** Subjects that are copied at once, with all their rows. */
const SUBJECTS_PER_STEP = 400;
/** Messages and changed subjects of a step. A message changes up to two subjects, and 400 subjects take 30 statements. */
const CHANGES_PER_STEP = 1_000;
/** The erasure of a person may change a page while it is copied. */
const MAX_ATTEMPTS = 3;

export const rangesOf = ({ source }: Copy, ...copied: Copied[]): OwnRange[] =>
  ownRanges(source.workspace).filter((range) => copied.includes(range.copied));

/** @throws ClaimLost */
async function write(copy: Copy, statements: readonly Statement[]): Promise<void> {
  const { sql, values } = mayCopy(copy);
  const results = await copy.target.batch([...statements, { sql: `SELECT 1 WHERE ${sql}`, values }]);
  if (results.at(-1)?.results.length === 0) throw new ClaimLost();
}

/**
 * Copies the next page of a range, and compares it, unless the whole range is compared at the end.
 * @returns its rows, none at the end of the range, and the position of the last one
 * @throws CopyDiffers
 */
export async function copyPage(
  copy: Copy,
  range: OwnRange,
  after: Position,
  maxRows?: number,
): Promise<{ rows: Row[]; last: Position }> {
  for (let attempt = 1; ; attempt += 1) {
    const [{ results: rows }] = await copy.source.batch([pageQuery(range, after, maxRows)]);
    const row = rows.at(-1);
    if (row === undefined) return { rows, last: after };
    const last = keyOf(range, row);
    await writePage(copy, range, rows);
    if (range.copied === "subjects" || range.copied === "final") return { rows, last };
    if ((await findDifference(copy, [{ ...range, start: after, end: last }])) === undefined) return { rows, last };
    if (attempt === MAX_ATTEMPTS) throw new CopyDiffers(range);
  }
}

/**
 * Writes a page that a backup has.
 * @throws ClaimLost; Error if a row belongs to another workspace: the file isn't the workspace's
 */
export async function writePage(copy: Copy, range: OwnRange, rows: readonly Row[]): Promise<void> {
  if (!rows.every((row) => isOwn(range, row))) throw new Error(`A row of ${range.name} is of another workspace.`);
  await write(copy, writeRows(range, rows, mayCopy(copy)));
}

/** Replaces all rows of a range. */
export async function copyAgain(copy: Copy, range: OwnRange): Promise<void> {
  await clearTarget(copy, [range], () => false);
  for (let page = await copyPage(copy, range, range.start); page.rows.length > 0;) {
    page = await copyPage(copy, range, page.last);
  }
}

/** Deletes the rows that an earlier copy has left at the target. @returns whether nothing is left */
export const clearTarget = (copy: Copy, ranges: readonly OwnRange[], isOver: () => boolean): Promise<boolean> =>
  eraseRanges(copy.target.db, ranges, isOver, mayCopy(copy));

/** Compares ranges. @returns a range that differs */
export async function findDifference(
  { source, target }: Copy,
  ranges: readonly OwnRange[],
): Promise<OwnRange | undefined> {
  const queries: readonly Statement<Checksum>[] = ranges.map(checksumQuery);
  const [at, copied] = await Promise.all([source.batch(queries), target.batch(queries)]);
  return ranges.find((_, index) => JSON.stringify(at[index]?.results) !== JSON.stringify(copied[index]?.results));
}

const { table: CHANGES, ...change } = columnsOf(changedSubjects);

const SELECT_CHANGES = prepareQuery(
  change,
  (columns) => `
SELECT ${columns} FROM ${CHANGES} WHERE ${change.seq} > :after AND ${change.seq} <= :last
ORDER BY ${change.seq} LIMIT ${CHANGES_PER_STEP}`,
);

/**
 * Copies the messages since the cursor, and all rows of the accounts and users that they or the API have changed.
 * @returns the new cursor, and how many messages and changes were copied
 */
export async function copyTail(copy: Copy, cursor: CopyCursor): Promise<{ cursor: CopyCursor; copied: number }> {
  const rows: Row[] = [];
  for (const log of rangesOf(copy, "log")) {
    rows.push(...(await copyPage(copy, log, [cursor.log], CHANGES_PER_STEP)).rows);
  }
  const { last } = ownRange(copy.source.workspace);
  const [{ results: marked }] = await copy.source.batch([SELECT_CHANGES.bind({ after: cursor.changes, last })]);
  for (const kind of ["account", "user"] as const) {
    const named = rows.map((row) => Number(row[kind])).filter((number) => number !== 0);
    const subjects = [...new Set([...named, ...marked.flatMap((each) => (each.kind === kind ? each.subject : []))])];
    for (let from = 0; from < subjects.length; from += SUBJECTS_PER_STEP) {
      await copySubjects(copy, kind, subjects.slice(from, from + SUBJECTS_PER_STEP));
    }
  }
  const log = Number(rows.at(-1)?.["seq"] ?? cursor.log);
  const changes = marked.at(-1)?.seq ?? cursor.changes;
  return { cursor: { ...cursor, log, changes }, copied: rows.length + marked.length };
}

/** Replaces all rows of accounts or users. */
async function copySubjects(copy: Copy, kind: Kind, subjects: readonly number[]): Promise<void> {
  const list = JSON.stringify(subjects);
  const found = rangesOf(copy, "subjects").flatMap((range) => {
    const where = rowsAbout(range, kind, copy.source.workspace.number, list);
    return where === null ? [] : [{ range, where }];
  });
  const queries: readonly Statement<Row>[] = found.map(({ range, where }) => selectRows(range, where));
  const results = await copy.source.batch(queries);
  const writes = found.flatMap(({ range, where }, index) => [
    deleteRows(range, where, mayCopy(copy)),
    ...writeRows(range, results[index]?.results ?? [], mayCopy(copy)),
  ]);
  await write(copy, writes);
}
