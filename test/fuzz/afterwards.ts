/** Is the service well, after all that? */
import * as z from "zod";

import { captured, ingested } from "../../src/http/openapi/answers/ingest.ts";
import { accounts, inbox, oneAccount } from "../../src/http/openapi/answers/outcomes.ts";
import { answerBody } from "../../src/http/openapi/answers/questions.ts";
import { events, rejected } from "../../src/http/openapi/answers/reads.ts";
import { done } from "../../src/http/openapi/answers/shapes.ts";
import { recomputeFully, type Target } from "./target.ts";
import { Visitor } from "./visitor.ts";

/** Accounts that cases have named: so many are read and asked about. */
const NAMED_ACCOUNTS = 50;
const BATCH_MESSAGES = 10;
const HOSTILE_NAMES = ["__proto__", "constructor", "%", "'; DROP TABLE messages; --", "\u202eacme", "(erased)"];
const LISTS = [
  ["/api/v1/events", events],
  ["/api/v1/rejected", rejected],
  ["/api/v1/accounts", accounts],
  ["/api/v1/accounts?sort=mrr", accounts],
  ["/api/v1/accounts?sort=lastSeen", accounts],
  ["/api/v1/inbox", inbox],
  ["/api/v1/inbox?status=resolved", inbox],
] as const;

const Counters = z.object({ workspace: z.object({ counters: z.object({ stored: z.number() }) }) });

/** @returns what is wrong; nothing, when all is well */
export async function examine({ url, bindings, own }: Target): Promise<string[]> {
  const visitor = new Visitor(url, bindings.workspaces[0]?.key ?? "");
  const mark = `after-${Date.now()}`;
  await visitor.call(done, "GET", "/healthz");
  await visitor.call(done, "GET", "/readyz");
  await storesAndReadsBack(visitor, mark);
  if (own !== null) {
    await own.worker.fireCron();
    await recomputeFully(own.worker);
  }
  await visitor.call(oneAccount, "GET", `/api/v1/accounts/${mark}`);
  await answersAboutNames(visitor, mark);
  for (const [path, schema] of LISTS) await visitor.walk(schema, path);
  return visitor.problems;
}

async function storesAndReadsBack(visitor: Visitor, mark: string): Promise<void> {
  await visitor.call(captured, "POST", "/api/v1/events", { accountId: mark, userId: mark, event: "after.capture" });
  const message = { type: "track", userId: mark, event: "after batch" };
  const batch = Array.from({ length: BATCH_MESSAGES }, (_, n) => ({ ...message, messageId: `${mark}-${n}` }));
  const stored = await visitor.call(ingested, "POST", "/v1/batch", { batch });
  const page = await visitor.call(events, "GET", `/api/v1/events?limit=${BATCH_MESSAGES + 1}`);
  const back = page?.events.filter(({ account }) => account?.externalId === mark).length;
  if (stored?.stored !== BATCH_MESSAGES || back !== BATCH_MESSAGES + 1) {
    visitor.problems.push(`of a capture and ${BATCH_MESSAGES} messages ${back} are read back`);
  }
}

async function answersAboutNames(visitor: Visitor, mark: string): Promise<void> {
  const ask = (question: string, accountId?: string | null) =>
    visitor.call(answerBody, "POST", "/api/v1/ask", { question, accountId });
  for (const name of [mark, ...HOSTILE_NAMES]) await ask(`How many events did "${name}" have this week?`);
  const listed = await visitor.call(accounts, "GET", `/api/v1/accounts?limit=${NAMED_ACCOUNTS}&sort=lastSeen`);
  for (const { id, externalId } of listed?.accounts ?? []) {
    await visitor.call(oneAccount, "GET", `/api/v1/accounts/${id}`);
    await ask("How healthy is this account?", externalId);
    const answer = await ask("How many events did this account have this month?", id);
    if (answer?.knows !== true) visitor.problems.push(`nothing is known of ${id}, called ${externalId}`);
  }
}

/** Messages that a workspace has stored, by the administration and by the database. */
export async function storedIn({ own }: Target, id: string): Promise<{ told: number; counted: number }> {
  if (own === null) throw new Error("the database is somebody else's");
  const response = await own.worker.admin("GET", `/admin/workspaces/${id}`);
  const { workspace } = Counters.parse(await response.json());
  const sql = "SELECT count(*) AS counted FROM messages WHERE workspace = (SELECT number FROM workspaces WHERE id = ?)";
  const counted = await own.worker.database.prepare(sql).bind(id).first<number>("counted");
  return { told: workspace.counters.stored, counted: counted ?? 0 };
}
