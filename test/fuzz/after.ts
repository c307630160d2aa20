/** Examines the service after the cases: it stores, reads, recomputes and answers as before. */
import * as z from "zod";

import type { AnswerChecker } from "./check-answer.ts";
import type { FuzzRequest } from "./request.ts";
import { Sender } from "./send.ts";
import type { FuzzedService } from "./service.ts";

const BATCH_MESSAGES = 10;
const MAX_PAGES = 100;
const MAX_RECOMPUTES = 600;
const HOSTILE_NAMES = ["__proto__", "constructor", "%", "'; DROP TABLE messages; --", "\u202eacme", "(erased)"];
const LISTS = [
  "/api/v1/events?",
  "/api/v1/rejected?",
  "/api/v1/accounts?sort=score&",
  "/api/v1/accounts?sort=mrr&",
  "/api/v1/accounts?sort=lastSeen&",
  "/api/v1/inbox?status=open&",
  "/api/v1/inbox?status=resolved&",
];

const Page = z.object({ nextCursor: z.string().nullable() });
const Events = z.object({ events: z.array(z.object({ account: z.object({ externalId: z.string() }).nullable() })) });
const Accounts = z.object({ accounts: z.array(z.object({ id: z.string(), externalId: z.string().nullable() })) });
const Answered = z.object({ knows: z.boolean() });
const Recompute = z.object({ complete: z.boolean().default(false) });
const Workspaces = Page.extend({
  workspaces: z.array(z.object({ counters: z.object({ stored: z.number() }) })),
});

/** @returns what is wrong with the service */
export async function examine({ worker, workspaces }: FuzzedService, checker: AnswerChecker): Promise<string[]> {
  await using sender = new Sender(worker.url, 1);
  const problems: string[] = [];
  const call = async (method: string, target: string, body?: unknown): Promise<unknown> => {
    const request: FuzzRequest = {
      method,
      target,
      headers: Object.entries({
        Authorization: `Bearer ${target.startsWith("/admin") ? worker.adminToken : workspaces.story.key}`,
        "Content-Type": "application/json",
      }),
      body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
      chunked: false,
      hangUpAfter: null,
    };
    const outcome = await sender.send(request);
    if (outcome.kind !== "answered") throw new Error(`${method} ${target} was not answered`);
    const { status, body: answer } = outcome.answer;
    const wrong = [...checker.problems(request, outcome.answer, []), ...(status === 200 ? [] : [answer])];
    problems.push(...wrong.map((problem) => `${method} ${target}: ${problem}`));
    return JSON.parse(answer);
  };

  await call("GET", "/healthz");
  await call("GET", "/readyz");
  const mark = `after-${Date.now()}`;
  await call("POST", "/api/v1/events", { accountId: mark, userId: mark, event: "after.capture" });
  const message = (n: number) => ({ type: "track", userId: mark, event: "after", messageId: `${mark}-${n}` });
  await call("POST", "/v1/batch", { batch: Array.from({ length: BATCH_MESSAGES }, (_, n) => message(n)) });
  const { events } = Events.parse(await call("GET", `/api/v1/events?limit=${BATCH_MESSAGES + 1}`));
  const read = events.filter(({ account }) => account?.externalId === mark).length;
  if (read !== BATCH_MESSAGES + 1) problems.push(`${read} of ${BATCH_MESSAGES + 1} new messages are listed`);

  let complete = false;
  for (let run = 0; run < MAX_RECOMPUTES && !complete; run++) {
    ({ complete } = Recompute.parse(await call("POST", "/admin/recompute")));
  }
  if (!complete) problems.push("the recompute does not finish");

  const ask = (question: string, accountId?: string) => call("POST", "/api/v1/ask", { question, accountId });
  for (const name of HOSTILE_NAMES) await ask(`How many events did "${name}" have this week?`);
  const { accounts } = Accounts.parse(await call("GET", "/api/v1/accounts?limit=50&sort=lastSeen"));
  for (const { id, externalId } of accounts) {
    await call("GET", `/api/v1/accounts/${id}`);
    await ask("How healthy is this account?", externalId ?? id);
    const { knows } = Answered.parse(await ask("How many events did this account have this month?", id));
    // No question finds an erased person.
    if (knows !== (externalId !== null))
      problems.push(`${knows ? "an" : "no"} answer about ${id}, called ${externalId}`);
  }
  for (const path of LISTS) {
    let cursor: string | null = "";
    for (let page = 0; page < MAX_PAGES && cursor !== null; page++) {
      const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
      cursor = Page.parse(await call("GET", `${path}limit=200${more}`)).nextCursor;
    }
  }
  return problems;
}

/** Counts all messages, by the workspaces' counters and by the rows in the database. */
export async function countStored({ worker }: FuzzedService): Promise<{ counters: number; rows: number }> {
  let counters = 0;
  for (let path: string | null = "/admin/workspaces?limit=200"; path !== null;) {
    const response: Response = await worker.admin("GET", path);
    const { workspaces, nextCursor } = Workspaces.parse(await response.json());
    counters += workspaces.reduce((sum, one) => sum + one.counters.stored, 0);
    path = nextCursor === null ? null : `/admin/workspaces?limit=200&cursor=${nextCursor}`;
  }
  const rows = await worker.database.prepare("SELECT count(*) AS rows FROM messages").first<number>("rows");
  return { counters, rows: rows ?? 0 };
}
