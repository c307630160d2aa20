/** Reads the demo's results with the key that the user gets. */
import * as z from "zod";

import { call, type Client, DemoFailure } from "./service.ts";

export interface Results {
  accounts: number;
  /** Accounts by state of health. */
  states: ReadonlyMap<string, number>;
  /** Open inbox items by kind. */
  kinds: ReadonlyMap<string, number>;
  answers: readonly { question: string; answer: string }[];
}

export const QUESTIONS = [
  "How healthy is juniper-foods?",
  "How many reports did northwind-freight export last month?",
  "How many accounts are at risk?",
] as const;

const EXPECTED_STATES = ["healthy", "watch", "at_risk"];
const MIN_KINDS = 3;

const AccountsResponse = z.object({
  accounts: z.array(z.object({ health: z.object({ state: z.string() }).nullable() })),
  nextCursor: z.string().nullable(),
});
const InboxResponse = z.object({ items: z.array(z.object({ kind: z.string() })) });
const AskResponse = z.object({ knows: z.boolean(), answer: z.string().nullable(), reason: z.string().nullable() });

export async function readResults(reader: Client): Promise<Results> {
  const states = await readStates(reader);
  const { items } = await call(reader, "GET", "/api/v1/inbox?limit=200", InboxResponse);
  const answers = [];
  for (const question of QUESTIONS) answers.push({ question, answer: await ask(reader, question) });
  return {
    accounts: states.length,
    states: countEach(states),
    kinds: countEach(items.map(({ kind }) => kind)),
    answers,
  };
}

/** @throws DemoFailure when there is too little to show */
export function assertWorthShowing({ states, kinds }: Results): void {
  const missing = EXPECTED_STATES.filter((state) => !states.has(state));
  if (missing.length > 0) throw new DemoFailure(`No account has the state ${missing.join(" or ")}.`);
  if (kinds.size < MIN_KINDS) throw new DemoFailure(`The inbox has only ${kinds.size} kinds of open items.`);
}

async function readStates(reader: Client): Promise<string[]> {
  const states: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: z.infer<typeof AccountsResponse> = await call(
      reader,
      "GET",
      `/api/v1/accounts?limit=200${query}`,
      AccountsResponse,
    );
    states.push(...page.accounts.map(({ health }) => health?.state ?? "not scored yet"));
    cursor = page.nextCursor;
  }
  return states;
}

async function ask(reader: Client, question: string): Promise<string> {
  const { answer, reason } = await call(reader, "POST", "/api/v1/ask", AskResponse, { question });
  if (answer === null) throw new DemoFailure(`"${question}" has no answer (${reason ?? "no reason"}).`);
  return answer;
}

function countEach(values: readonly string[]): Map<string, number> {
  const groups = Map.groupBy(values, (value) => value);
  return new Map([...groups].map(([value, { length }]) => [value, length]));
}
