/** Reads the demo's results with the key that the user gets. */
import { type Client, dataOf } from "../../clients/typescript/src/client.ts";
import { DemoFailure } from "./service.ts";

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
const PAGE = { limit: 200 };

export async function readResults(reader: Client): Promise<Results> {
  const states = await readStates(reader);
  const { items } = await dataOf(reader.GET("/api/v1/inbox", { params: { query: PAGE } }));
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
  for (let query: { limit: number; cursor?: string } | null = PAGE; query !== null;) {
    const { accounts, nextCursor } = await accountsOf(reader, query);
    states.push(...accounts.map(({ health }) => health?.state ?? "not scored yet"));
    query = nextCursor === null ? null : { ...PAGE, cursor: nextCursor };
  }
  return states;
}

const accountsOf = (reader: Client, query: { limit: number; cursor?: string }) =>
  dataOf(reader.GET("/api/v1/accounts", { params: { query } }));

async function ask(reader: Client, question: string): Promise<string> {
  const answer = await dataOf(reader.POST("/api/v1/ask", { body: { question } }));
  if (!answer.knows) throw new DemoFailure(`"${question}" has no answer (${answer.reason}).`);
  return answer.answer;
}

function countEach(values: readonly string[]): Map<string, number> {
  const groups = Map.groupBy(values, (value) => value);
  return new Map([...groups].map(([value, { length }]) => [value, length]));
}
