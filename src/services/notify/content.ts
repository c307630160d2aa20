/** What a notification says: webhooks get `data`, Slack and Teams the message. */
import { inFigures } from "../../core/health/texts.ts";
import type { ChatMessage } from "../../core/notify/chat.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import type { Destination } from "../../db/destinations/destinations.ts";

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

type Fact = ChatMessage["facts"][number];

/** Builds a message from the parts that it has. */
export const messageOf = (
  { env, workspace }: Reading,
  page: string,
  parts: Partial<ChatMessage> & { title: string },
): ChatMessage => {
  const origin = env.PUBLIC_URL.replace(/\/+$/, "");
  const link = origin === "" ? null : `${origin}/console/w/${workspace.id}/${page}`;
  return { text: "", facts: [], groups: [], link, ...parts };
};

/** `490 EUR`; `null` without an MRR. */
export const formatMrr = (mrr: unknown, currency: unknown): string | null =>
  typeof mrr === "number" ? [inFigures(mrr), ...(typeof currency === "string" ? [currency] : [])].join(" ") : null;

/** Leaves out what isn't known. */
export const factsOf = (facts: Readonly<Record<string, string | null | undefined>>): Fact[] =>
  Object.entries(facts).flatMap(([label, value]) => (value == null ? [] : [[label, value] as const]));
