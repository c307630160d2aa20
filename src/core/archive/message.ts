/** The messages of the archive, and the lists of their users in its manifest. */
import * as z from "zod";

import type { Message } from "../ingest/message.ts";

/** Maximum messages of a file: docs/wire/export.md §17. */
export const MAX_FILE_MESSAGES = 50_000;
/** Maximum bytes of its rows, unless a single row is larger. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** A message as the archive and exports contain it. It names accounts and users by the sender's ids. */
export const archivedMessage = z.object({
  messageId: z.string(),
  type: z.enum(["track", "identify", "group"]),
  source: z.enum(["cdp", "native"]),
  accountId: z.string().nullable(),
  accountKind: z.string().nullable(),
  /** The internal id once the user is erased. */
  userId: z.string().nullable(),
  event: z.string().nullable(),
  /** JSON text, as are the attributes. */
  properties: z.string().nullable(),
  attributes: z.string().nullable(),
  /** Milliseconds since the epoch. */
  occurredAt: z.number(),
  receivedAt: z.number(),
  /** The user's number within the workspace, negative once the user is erased; 0 without a user. */
  user: z.int(),
});

export type ArchivedMessage = z.infer<typeof archivedMessage>;

/**
 * Clears a message of an erased user, as erasing a user does in the log. The message stays, under the internal id.
 * @param hasAccount whether the user had an account; the attributes belong to it then
 */
export const eraseUserFrom = (message: ArchivedMessage, internalId: string, hasAccount: boolean): ArchivedMessage => ({
  ...message,
  userId: internalId,
  // A personal account has the id of its user.
  accountId: message.accountKind === "solo" ? internalId : message.accountId,
  properties: null,
  attributes: message.accountId === null && !hasAccount ? null : message.attributes,
  user: -Math.abs(message.user),
});

const gaps = z.array(z.int());

/** Lists the users of messages who are not erased, as JSON of the gaps between their numbers, which are short. */
export function packUsers(messages: readonly Pick<ArchivedMessage, "user">[]): string {
  const users = new Set(messages.map(({ user }) => user).filter((user) => user > 0));
  const sorted = [...users].toSorted((a, b) => a - b);
  return JSON.stringify(sorted.map((user, index) => user - (sorted[index - 1] ?? 0)));
}

export function unpackUsers(packed: string): Set<number> {
  let user = 0;
  return new Set(gaps.parse(JSON.parse(packed)).map((gap) => (user += gap)));
}

/** Turns an archived message back into the one that was sent. Traits are not archived. */
export const restoreMessage = (archived: ArchivedMessage, index: number): Message => ({
  ...archived,
  index,
  // A personal account belongs to its user, and no sender can name it.
  accountId: archived.accountKind === "solo" ? null : archived.accountId,
  properties: archived.properties === null ? null : JSON.parse(archived.properties),
  attributes: archived.attributes === null ? null : JSON.parse(archived.attributes),
  traits: null,
  accountTraits: null,
  mapping: {},
});
