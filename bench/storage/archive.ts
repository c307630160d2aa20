/** Measures what archiving costs. Files are as full as those of a large workspace, because compression depends on it. */
import { AT_LIMIT, messagesOf } from "./day.ts";
import { serveStorage } from "./serve.ts";

/** The value in wrangler.toml. */
const HOT_DAYS = 30;
/** Some hours of the workspace at its limit: enough for two full files. */
const SENDER = { ...AT_LIMIT, messagesEach: 4 };

interface Rows {
  read: number;
  written: number;
}

export interface ArchiveCost {
  /** The maximum number of messages in a file. */
  fileMessages: number;
  /** Bytes of a message in D1, with its index. */
  hotBytes: number;
  archivedBytes: number;
  /** Rows of D1 per message. */
  rows: Rows;
  messagesPerSecond: number;
}

export async function measureArchive(): Promise<ArchiveCost> {
  await using worker = await serveStorage(1, 1);
  await worker.passDay({ day: 0, senders: [SENDER] });
  const before = await worker.passDay({ day: HOT_DAYS - 1, senders: [] });
  const { archive, bytes } = await worker.passDay({ day: HOT_DAYS, senders: [] });
  const { value: messages } = await worker.ask("SELECT sum(last - first + 1) FROM archive_files");
  if (messages !== messagesOf(SENDER)) throw new Error("Not all messages were archived.");
  return {
    fileMessages: (await worker.ask("SELECT max(last - first + 1) FROM archive_files")).value,
    hotBytes: (before.bytes - bytes) / messages,
    archivedBytes: (await worker.ask("SELECT sum(bytes) FROM archive_files")).value / messages,
    rows: { read: archive.rowsRead / messages, written: archive.rowsWritten / messages },
    messagesPerSecond: messages / (archive.ms / 1_000),
  };
}
