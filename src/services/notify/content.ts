/** What a notification says: webhooks get `data`, Slack and Teams the message. */
import { dateOf, inMoney } from "../../core/health/texts.ts";
import { describeResolution, KIND_NAMES } from "../../core/inbox/kind-names.ts";
import type { Severity } from "../../core/inbox/model.ts";
import type { ChatMessage } from "../../core/notify/chat.ts";
import { type Rates, ratesOf } from "../../core/rates.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import type { Destination } from "../../db/destinations/destinations.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import { findWorkspace } from "../../db/workspaces/find-workspace.ts";
import { namesIn } from "../present/present-item.ts";

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

/** As the console writes it: `High`. */
export const severityName = (severity: Severity): string => severity.replace(/^./, (first) => first.toUpperCase());

/** The title of a resolved item: the item's own would read as if it was still open. */
export function resolvedTitle(stored: StoredItem): string {
  const name = KIND_NAMES[stored.kind];
  return stored.account === null ? name : `${name}, ${namesIn(stored).account}`;
}

/** Says why an item was resolved, and since when it was open. */
export function resolvedText({ kind, resolution, openedDay }: StoredItem): string {
  const why = resolution === null ? "" : `${describeResolution(kind, resolution)} `;
  return `${why}Open since ${dateOf(openedDay)}.`;
}

/** Leaves out what isn't known. */
export const factsOf = (facts: Readonly<Record<string, string | null | undefined>>): Fact[] =>
  Object.entries(facts).flatMap(([label, value]) => (value == null ? [] : [[label, value] as const]));
