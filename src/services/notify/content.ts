/** What a notification says: webhooks get `data`, Slack and Teams the message. */
import { inMoney } from "../../core/health/texts.ts";
import type { ChatMessage } from "../../core/notify/chat.ts";
import { type Rates, ratesOf } from "../../core/rates.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import type { Destination } from "../../db/destinations/destinations.ts";
import { findWorkspace } from "../../db/workspaces/find-workspace.ts";

export interface Content {
  data: object;
  message: ChatMessage;
}

/** Whose data is read, and for whom. */
export interface Reading {
  env: Env;
  workspace: WorkspaceRef;
  destination: Destination;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Reads the workspace's name, and its rates by which amounts of different currencies are compared. */
export async function readSettings({ env, workspace: { id } }: Reading): Promise<{ name: string; rates?: Rates }> {
  const found = await findWorkspace(env, id);
  const rates = ratesOf(found ?? {});
  return { name: found?.name ?? id, ...(rates && { rates }) };
}

type Fact = ChatMessage["facts"][number];

/** Builds a message from the parts that it has. */
export const messageOf = (
  { env, workspace }: Reading,
  page: string,
  parts: Partial<ChatMessage> & { title: string },
): ChatMessage => {
  const origin = env.PUBLIC_URL.replace(/\/+$/, "");
  const link = origin === "" ? null : `${origin}/console/w/${workspace.id}/${page}`;
  return { paragraphs: [], facts: [], groups: [], link, ...parts };
};

/** `490 EUR`; `null` without an MRR. */
export const formatMrr = (mrr: unknown, currency: unknown): string | null =>
  typeof mrr === "number" ? inMoney(mrr, typeof currency === "string" ? currency : undefined) : null;

/** Writes a line of a list from the parts that are known. */
export const lineOf = (...parts: (string | null)[]): string => parts.filter((part) => part !== null).join(" · ");

/** Leaves out what isn't known. */
export const factsOf = (facts: Readonly<Record<string, string | null | undefined>>): Fact[] =>
  Object.entries(facts).flatMap(([label, value]) => (value == null ? [] : [[label, value] as const]));
