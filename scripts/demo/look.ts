/** Looks at what became of it, as whoever has the reading key sees it. */
import * as z from "zod";

import { call, DemoFailure } from "./service.ts";

export interface Reader {
  url: string;
  key: string;
  /** Breaks it off. */
  stop?: AbortSignal;
}

export interface Seen {
  accounts: number;
  /** How many accounts are in each state of health. */
  states: ReadonlyMap<string, number>;
  /** How many open items there are of each kind. */
  kinds: ReadonlyMap<string, number>;
  answers: readonly { question: string; answer: string }[];
}

export const QUESTIONS = [
  "How healthy is juniper-foods?",
  "How many reports did northwind-freight export last month?",
  "How many accounts are at risk?",
] as const;

const BANDS = ["healthy", "watch", "at_risk"];
const FEWEST_KINDS = 3;

const Accounts = z.object({
  accounts: z.array(z.object({ health: z.object({ state: z.string() }).nullable() })),
  nextCursor: z.string().nullable(),
});
const Items = z.object({ items: z.array(z.object({ kind: z.string() })) });
const Answer = z.object({ knows: z.boolean(), answer: z.string().nullable(), reason: z.string().nullable() });

export async function look(reader: Reader): Promise<Seen> {
  const accounts = await statesOfAll(reader);
  const { items } = await get(reader, "/api/v1/inbox?limit=200", Items);
  const answers = [];
  for (const question of QUESTIONS) answers.push({ question, answer: await answerTo(reader, question) });
  return {
    accounts: accounts.length,
    states: counted(accounts),
    kinds: counted(items.map(({ kind }) => kind)),
    answers,
  };
}

/** @throws DemoFailure when something that a demo is for is not there to be seen */
export function assertWorthSeeing({ states, kinds }: Seen): void {
  const missing = BANDS.filter((band) => !states.has(band));
  if (missing.length > 0) throw new DemoFailure(`No account is ${missing.join(", nor is any ")}.`);
  if (kinds.size < FEWEST_KINDS) throw new DemoFailure(`The inbox has ${kinds.size} kinds of open items.`);
}

async function statesOfAll(reader: Reader): Promise<string[]> {
  const states: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: z.infer<typeof Accounts> = await get(reader, `/api/v1/accounts?limit=200${query}`, Accounts);
    states.push(...page.accounts.map(({ health }) => health?.state ?? "not judged yet"));
    cursor = page.nextCursor;
  }
  return states;
}

async function answerTo({ url, key, stop }: Reader, question: string): Promise<string> {
  const made = { method: "POST", path: "/api/v1/ask", key, body: { question }, stop } as const;
  const { answer, reason } = await call(url, made, Answer);
  if (answer === null) throw new DemoFailure(`"${question}" has no answer (${reason ?? "no reason"}).`);
  return answer;
}

const get = <T>({ url, key, stop }: Reader, path: string, schema: z.ZodType<T>): Promise<T> =>
  call(url, { path, key, stop }, schema);

function counted(values: readonly string[]): Map<string, number> {
  const groups = Map.groupBy(values, (value) => value);
  return new Map([...groups].map(([value, { length }]) => [value, length]));
}
