/** The workloads of senders, and the data that the bench and its Worker exchange. */
import { z } from "zod";

export interface Sender {
  accounts: number;
  /** Users of an account. All of them are active every day. */
  usersEach: number;
  /** Messages of a user and day. */
  messagesEach: number;
}

/** A workspace at its write limit: 100 messages in 10 s, 864,000 a day. */
export const AT_LIMIT: Sender = { accounts: 2_000, usersEach: 12, messagesEach: 36 };
/** An ordinary workspace: 2,000 messages a day. */
export const ORDINARY: Sender = { accounts: 20, usersEach: 5, messagesEach: 20 };

export const messagesOf = ({ accounts, usersEach, messagesEach }: Sender): number =>
  accounts * usersEach * messagesEach;

export interface Day {
  day: number;
  /** The senders of the workspaces 1, 2 and so on. */
  senders: Sender[];
}

export type DayFigures = z.infer<typeof DayFigures>;
export const DayFigures = z.object({
  /** The size of the database when nothing is left to do. */
  bytes: z.number(),
  /** The maximum number in an invocation. */
  statements: z.number(),
  /** The cost of all archive tasks. */
  archive: z.object({ ms: z.number(), rowsRead: z.number(), rowsWritten: z.number() }),
});
