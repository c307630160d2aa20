/** A message as the archive and exports know it. It names accounts and users by the sender's ids. */
export interface ArchivedMessage {
  messageId: string;
  type: string;
  source: string;
  accountId: string | null;
  accountKind: string | null;
  /** The internal id once the user is erased. */
  userId: string | null;
  event: string | null;
  /** JSON text, as are the attributes. */
  properties: string | null;
  attributes: string | null;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  receivedAt: number;
  /** The user's number within the workspace, negative once the user is erased; 0 without a user. */
  user: number;
}

/** Removes what the messages of a user know, as erasing a user does in the log. The messages stay, under the internal id. */
export const clearMessage = (message: ArchivedMessage, internalId: string): ArchivedMessage => ({
  ...message,
  userId: internalId,
  // A personal account has the id of its user.
  accountId: message.accountKind === "solo" ? internalId : message.accountId,
  properties: null,
  attributes: message.accountId === null ? null : message.attributes,
  user: -Math.abs(message.user),
});
