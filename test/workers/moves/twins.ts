/**
 * A workspace that moves while it is used, and its twin, which stays: whatever the one acknowledges, the other does too.
 * In the end both must hold the same.
 */
import * as fc from "fast-check";

import { DAY_MS } from "../../../src/core/durations.ts";
import type { Message } from "../../../src/core/ingest/message.ts";
import { databaseOf, ownRange, type WorkspaceRef } from "../../../src/db/client/database.ts";
import { DatabaseUnavailable } from "../../../src/db/client/faults.ts";
import { runBatch } from "../../../src/db/client/run-statements.ts";
import { bound } from "../support/bound.ts";
import type { Row } from "../../../src/db/client/statement.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { requestRebuild } from "../../../src/db/recompute/rebuild-sql.ts";
import { isBetween, ownRanges } from "../../../src/db/workspaces/own-ranges.ts";
import { answerQuestion } from "../../../src/services/ask/answer-question.ts";
import { acceptAgreement, withdrawAgreement } from "../../../src/services/agreement.ts";
import { attachIdentity } from "../../../src/services/attach-identity.ts";
import { markItem } from "../../../src/db/inbox/marks.ts";
import { recomputeWorkspace } from "../../../src/services/recompute/recompute-workspaces.ts";
import { eraseUser } from "../../../src/services/erase-user.ts";
import { findWritable } from "../../../src/services/workspaces/api-keys.ts";
import type { KeyGrant } from "../../../src/db/workspaces/api-keys.ts";
import { writeWithinLimit } from "../../../src/services/write-within-limit.ts";
import { createWorkspace } from "../../../src/services/workspaces/workspace-changes.ts";
import { batchOf, message, messageWith } from "../db/message-arbitraries.ts";
import { addDestination } from "../support/destinations.ts";

/** A Monday. */
const DAY = Date.UTC(2030, 0, 7) / DAY_MS;
export const NOW = DAY * DAY_MS + 300_000;

const SUBJECTS = ["1", "o'brien", "😀"];

export const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant("store" as const),
      messages: fc.array(message, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("attach" as const),
      userId: fc.constantFrom(...SUBJECTS),
      name: fc.constantFrom("Ann Lee", "Bob", null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("erase" as const), userId: fc.constantFrom(...SUBJECTS) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("dismiss" as const), item: fc.constantFrom(1, 2) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("snooze" as const), item: fc.constantFrom(1, 2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom("recompute" as const, "rebuild" as const, "agree" as const, "withdraw" as const),
    }),
  },
);
export type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

export const question = fc.record({
  does: fc.constant("ask" as const),
  text: fc.constantFrom(
    "How many accounts do we have?",
    "How many events were there in the last 90 days?",
    "Which accounts are at risk?",
    "When was globex last active?",
  ),
});
export type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

export async function newTwin(env: Env): Promise<KeyGrant> {
  const created = await createWorkspace(env, { name: "A twin", writeLimit: 1_000_000, database: "DB" }, 1, "admin");
  if (created.outcome !== "created") throw new Error("the workspace was not created");
  const { id, number, database } = created.workspace;
  const grant = { ...created.record, lastUsedDay: null, keyId: created.record.id, workspace: { id, number, database } };
  await addDestination(grant.workspace);
  await acceptAgreement(env, grant.workspace, { version: "1", acceptedBy: "Ann" }, 1, "admin");
  await perform(env, grant, { does: "store", messages: history() }, NOW - 4 * DAY_MS);
  await perform(env, grant, { does: "recompute" }, NOW - 4 * DAY_MS);
  return grant;
}

/** Two accounts that fall silent, so that there are items. */
const history = (): Message[] =>
  ["1", "globex"].flatMap((accountId) =>
    Array.from({ length: 30 }, (_, place) => DAY - 45 + place)
      .filter((day) => (day + 3) % 7 < 5)
      .map((day) =>
        messageWith({
          messageId: `${accountId} ${day}`,
          accountId,
          userId: `${accountId}-u`,
          occurredAt: day * DAY_MS,
        }),
      ),
  );

/** The workspace and the database that it is in now. */
export async function whereIs(env: Env, grant: KeyGrant): Promise<WorkspaceRef> {
  const found = await findWritable(env, grant);
  if (found === null) throw new Error("the workspace is gone");
  return found;
}

/** @returns whether the action was acknowledged; if not, nothing of it may be stored */
export async function perform(env: Env, grant: KeyGrant, done: Action, now: number): Promise<boolean> {
  const call = { env, logFields: {}, grant, onQuota: () => undefined, keepAlive: () => undefined };
  try {
    switch (done.does) {
      case "store": {
        const batch = { ...batchOf(done.messages), receivedAt: now };
        const stored = await writeWithinLimit(call, 1, (workspace) => storeBatch(env, workspace, "key_1", batch));
        return stored.outcome === "stored";
      }
      case "attach":
        await attachIdentity(call, { userId: done.userId, traits: { name: done.name } }, now);
        return true;
      case "erase":
        await eraseUser(env, grant, done.userId);
        return true;
      case "dismiss":
      case "snooze": {
        const workspace = await whereIs(env, grant);
        const [{ results }] = await runBatch(databaseOf(env, workspace), [
          bound<{ id: string }>(
            "SELECT id FROM inbox_items WHERE number = ?1",
            ownRange(workspace).first + done.item - 1,
          ),
        ]);
        const id = results[0]?.id ?? "itm_none";
        const mark = done.does === "dismiss" ? { dismissed: true } : { snoozedUntil: now + DAY_MS };
        await markItem(env, workspace, id, mark, { by: "Ada", at: now, withIdentity: false });
        return true;
      }
      case "recompute": {
        const options = { now, trigger: "cron", clock: Date.now, budgetMs: 60_000 } as const;
        const run = await recomputeWorkspace(env, await whereIs(env, grant), options);
        return run.outcome === "done";
      }
      case "rebuild":
        await requestRebuild(env, await whereIs(env, grant));
        return true;
      case "agree":
      case "withdraw": {
        const workspace = await whereIs(env, grant);
        if (done.does === "agree")
          await acceptAgreement(env, workspace, { version: "1", acceptedBy: "Ann" }, now, "admin");
        else await withdrawAgreement(env, workspace, now, "admin");
        return true;
      }
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    return false;
  }
}

/** Answers a question with its evidence, without ids. */
export async function answerTo(env: Env, grant: KeyGrant, text: string, now: number): Promise<unknown> {
  const asked = { text, hints: {}, now, today: Math.floor(now / DAY_MS) };
  const answered = await answerQuestion(env, await whereIs(env, grant), asked);
  if ("issues" in answered) throw new Error("No query was sent.");
  const { written } = answered;
  return JSON.parse(JSON.stringify(written).replaceAll(IDS, "$1_*"));
}

/** Random values, and times by the wall clock. */
const IDS = /(acc|usr|itm|ntf|dst)_[0-9a-f]{24}\b/g;
const NOT_COMPARED = new Set(["leases", "changedSubjects", "comparisons", "recomputeRuns"]);

/** All rows of a workspace by table, in the terms of its own numbers. */
export async function contents(env: Env, { number, ...rest }: WorkspaceRef): Promise<Record<string, string[]>> {
  const workspace = { number, ...rest };
  const { first, last } = ownRange(workspace);
  const relative = (text: string) => {
    const own = Number(text);
    return own >= first && own <= last ? String(own - first + 1) : text;
  };
  const rows: Record<string, string[]> = {};
  for (const range of ownRanges(workspace).filter(({ name }) => !NOT_COMPARED.has(name))) {
    const { sql, values } = isBetween(range);
    const [{ results }] = await runBatch(databaseOf(env, workspace), [
      bound<Row>(`SELECT * FROM ${range.tableName} WHERE ${sql}`, ...values),
    ]);
    rows[range.name] = results
      .map(({ workspace: _workspace, ingest_id: _ingest, ...row }) =>
        JSON.stringify(row)
          .replaceAll(IDS, "$1_*")
          .replaceAll(/\d{8,}/g, relative),
      )
      .toSorted();
  }
  return rows;
}
