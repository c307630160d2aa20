/** Reads lists, accounts and users, and asks questions, while messages arrive. */
import * as z from "zod";

import { pick, type Random, wholeBetween } from "../../evals/simulator/random.ts";
import type { Client } from "./client.ts";
import { ACCOUNTS, messageIdOf, SOURCES, USERS } from "./content.ts";
import type { Ledger } from "./ledger.ts";

export interface Reader {
  client: Client;
  key: string;
  ledger: Ledger;
  random: Random;
  /** Reports an answer that is not as it should be. */
  report: (problem: string) => void;
}

const Page = z.object({
  events: z.array(z.object({ messageId: z.string(), source: z.enum(SOURCES) })),
  nextCursor: z.string().nullable(),
});

const MAX_PAGES = 4;
const QUESTIONS = [
  "How many report.exported events did account-3 have in the last 30 days?",
  "When was user-7 last seen?",
  "Which accounts are at risk?",
  "What is the weather like?",
] as const;

export async function read(reader: Reader): Promise<void> {
  const { random } = reader;
  await pick(random, [
    () => readEvents(reader, pick(random, [20, 50, 200])),
    () => get(reader, `/api/v1/accounts?sort=${pick(random, ["score", "mrr", "lastSeen"])}`, [200]),
    () => get(reader, "/api/v1/inbox", [200]),
    () => get(reader, "/api/v1/rejected", [200]),
    // It may not exist yet.
    () => get(reader, `/api/v1/users/user-${wholeBetween(random, 0, USERS - 1)}`, [200, 404]),
    () => get(reader, `/api/v1/accounts/account-${wholeBetween(random, 0, ACCOUNTS - 1)}`, [200, 404]),
    () => ask(reader),
  ])();
}

/** Checks that no event is listed twice, and that every listed event was sent. */
async function readEvents(reader: Reader, limit: number): Promise<void> {
  const seen = new Set<string>();
  let cursor: string | null = "";
  for (let page = 0; page < MAX_PAGES && cursor !== null; page++) {
    const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const body = await get(reader, `/api/v1/events?limit=${limit}${more}`, [200]);
    if (body === null) return;
    const { events, nextCursor } = Page.parse(body);
    for (const { messageId, source } of events) {
      const number = Number(messageId.slice(messageIdOf(0).length - 1));
      if (messageId !== messageIdOf(number) || !reader.ledger.wasSent(source, number)) {
        reader.report(`${source} ${messageId} is listed and was never sent`);
      }
      if (seen.has(`${source} ${messageId}`)) reader.report(`${source} ${messageId} is listed twice`);
      seen.add(`${source} ${messageId}`);
    }
    cursor = nextCursor;
  }
}

async function ask(reader: Reader): Promise<void> {
  const headers = { authorization: `Bearer ${reader.key}`, "content-type": "application/json" };
  const body = JSON.stringify({ question: pick(reader.random, QUESTIONS) });
  const { status, text } = await reader.client.send({ method: "POST", path: "/api/v1/ask", headers, body });
  if (status !== 200) reader.report(`a question returned ${status}: ${text}`);
}

async function get({ client, key, report }: Reader, path: string, statuses: number[]): Promise<object | null> {
  const { status, body, text } = await client.send({
    method: "GET",
    path,
    headers: { authorization: `Bearer ${key}` },
  });
  if (status !== null && statuses.includes(status)) return body;
  report(`${path} returned ${status}: ${text}`);
  return null;
}
