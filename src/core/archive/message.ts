import * as z from "zod";

/** A message as the archive and exports contain it. It names accounts and users by the sender's ids. */
export const archivedMessage = z.object({
  messageId: z.string(),
  type: z.string(),
  source: z.string(),
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
export const clearMessage = (message: ArchivedMessage, internalId: string, hasAccount: boolean): ArchivedMessage => ({
  ...message,
  userId: internalId,
  // A personal account has the id of its user.
  accountId: message.accountKind === "solo" ? internalId : message.accountId,
  properties: null,
  attributes: message.accountId === null && !hasAccount ? null : message.attributes,
  user: -Math.abs(message.user),
});
