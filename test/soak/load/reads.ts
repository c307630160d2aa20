/** What is read and asked: lists by their cursors, single things, and questions. */
import * as z from "zod";

import { pick, type Random, wholeBetween } from "../../../evals/simulator/random.ts";
import type { Answer, Client, Request } from "./client.ts";
import { ACCOUNTS, messageIdOf, SOURCES, USERS } from "./content.ts";
import { type Ledger, STATE } from "./ledger.ts";
import { bearer } from "./write.ts";

export interface Reader {
  client: Client;
  key: string;
  ledger: Ledger;
  random: Random;
  /** Told of an answer that is not as it should be. */
  surprise: (what: string) => void;
}

const Page = z.object({ nextCursor: z.string().nullable() });
const Events = z.object({ events: z.array(z.object({ messageId: z.string(), source: z.enum(SOURCES) })) });
const Answered = z.object({ knows: z.boolean() });

const MOST_PAGES = 4;

const QUESTIONS = [
  "How many report.exported events did account-3 have in the last 30 days?",
  "When was user-7 last seen?",
  "Which accounts are at risk?",
  "How many active users did account-5 have last week?",
  "What is the weather like?",
] as const;

const GET = { kind: "read", method: "GET" } as const;

export async function read(reader: Reader): Promise<void> {
  const { random } = reader;
  const size = pick(random, [20, 50, 200]);
  switch (pick(random, ["events", "events", "accounts", "inbox", "rejected", "user", "account"])) {
    case "events":
      return readEvents(reader, size);
    case "accounts":
      return void (await pages(reader, `/api/v1/accounts?sort=${pick(random, ["score", "mrr", "lastSeen"])}&limit=5`));
    case "inbox":
      return void (await pages(reader, `/api/v1/inbox?limit=${size}`));
    case "rejected":
      return void (await pages(reader, `/api/v1/rejected?limit=${size}`));
    case "user":
      return readOne(reader, `/api/v1/users/user-${wholeBetween(random, 0, USERS - 1)}`);
    case "account":
      return readOne(reader, `/api/v1/accounts/account-${wholeBetween(random, 0, ACCOUNTS - 1)}`);
  }
}

export async function ask(reader: Reader): Promise<void> {
  const headers = { ...bearer(reader.key), "content-type": "application/json" };
  const body = JSON.stringify({ question: pick(reader.random, QUESTIONS) });
  const answer = await reader.client.send({ kind: "ask", method: "POST", path: "/api/v1/ask", headers, body });
  if (isWanted(reader, answer, [200]) && !Answered.safeParse(answer.body).success) reader.surprise(answer.text);
}

/** Nothing stands on two pages, and nothing is listed that was not sent. */
async function readEvents(reader: Reader, size: number): Promise<void> {
  const seen = new Set<string>();
  for (const body of await pages(reader, `/api/v1/events?limit=${size}`)) {
    for (const { messageId, source } of Events.parse(body).events) {
      const number = Number(messageId.slice(messageIdOf(0).length - 1));
      const state = reader.ledger.stateOf(source, number);
      if (messageIdOf(number) !== messageId || state === STATE.unsent || state === STATE.refused) {
        reader.surprise(`${source} ${messageId} is listed and was not stored`);
      }
      if (seen.has(`${source} ${messageId}`)) reader.surprise(`${source} ${messageId} stands on two pages`);
      seen.add(`${source} ${messageId}`);
    }
  }
}

async function pages(reader: Reader, first: string): Promise<Answer["body"][]> {
  const bodies: Answer["body"][] = [];
  for (let path: string | null = first; path !== null && bodies.length < MOST_PAGES;) {
    const answer: Answer = await reader.client.send(request(reader, path));
    if (!isWanted(reader, answer, [200])) break;
    bodies.push(answer.body);
    const { nextCursor } = Page.parse(answer.body);
    path = nextCursor === null ? null : `${first}&cursor=${nextCursor}`;
  }
  return bodies;
}

/** It may not be there yet. */
async function readOne(reader: Reader, path: string): Promise<void> {
  isWanted(reader, await reader.client.send(request(reader, path)), [200, 404]);
}

const request = ({ key }: Reader, path: string): Request => ({ ...GET, path, headers: bearer(key) });

/** Faults are counted by the client. */
function isWanted(reader: Reader, { status, text }: Answer, wanted: number[]): boolean {
  if (status !== null && wanted.includes(status)) return true;
  if (status !== null && status < 500) reader.surprise(`a read was answered with ${status}: ${text}`);
  return false;
}
