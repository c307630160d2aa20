/** docs/restore.md: what `npm run restore` says of a restore, and when it stops waiting. */
import { describe, expect, it } from "vitest";

import { describeProgress, type RestoredWorkspace } from "../../scripts/restore-progress.ts";

const BACKUP = "2026-11-20T031500.000Z";
const WANTED = { database: "DB_2", date: undefined };
const MOVE = { to: "DB_2", state: "copying", rowsCopied: 3, rowsTotal: 9, backup: BACKUP } as const;
const running = (move: Partial<NonNullable<RestoredWorkspace["move"]>>): RestoredWorkspace => ({
  database: "DB_1",
  move: { ...MOVE, ...move },
});

describe("npm run restore", () => {
  it("waits while the wanted restore copies", () => {
    const line = `Backup ${BACKUP}: 3 of 9 rows are in DB_2.`;
    for (const date of [undefined, "2026-11-20"])
      expect(describeProgress(running({}), { ...WANTED, date }, undefined)).toEqual({ line, isDone: false });
  });

  it("ends when the wanted database has the workspace, also while rows elsewhere still have to be closed", () => {
    const done = { isDone: true, line: expect.stringContaining("DB_2 has the workspace.") };
    expect(describeProgress({ database: "DB_2", move: null }, WANTED, undefined)).toEqual(done);
    expect(describeProgress(running({ state: "erasing" }), WANTED, undefined)).toEqual(done);
  });

  it.each([
    ["a cancelled one", { database: "DB_1", move: null }, WANTED, /was cancelled: DB_1 has the workspace/],
    ["one that is being cancelled", running({ state: "cancelling" }), WANTED, /\(cancelling\)/],
    ["one to another database", running({ to: "DB_3" }), WANTED, /to DB_3 instead/],
    ["one of another day", running({}), { ...WANTED, date: "2026-11-21" }, /restore of the backup 2026-11-20/],
    ["a move", running({ backup: undefined }), WANTED, /a move to DB_2 instead/],
    ["one that failed", running({ fault: "The archive lacks a file." }), WANTED, /The archive lacks a file/],
  ])("fails for %s", (_, workspace, wanted, message) => {
    expect(() => describeProgress(workspace, wanted, undefined)).toThrow(message);
  });

  it("follows a restore whose last attempt failed, until another one fails", () => {
    const fault = "The archive lacks a file.";
    expect(describeProgress(running({ fault }), WANTED, fault)).toMatchObject({ isDone: false });
    expect(() => describeProgress(running({ fault }), WANTED, undefined)).toThrow(fault);
  });
});
