/** Compares the log with the senders' ledgers, message by message. */
import type { Check } from "./account.ts";
import { contentOf, messageIdOf, type Source, SOURCES } from "./content.ts";
import { sumOf } from "./ledger.ts";
import type { Sender } from "./sender.ts";

const PAGE_ROWS = 10_000;

const SELECT_PAGE = `
SELECT l.seq, l.source, l.message_id, l.type, l.event, l.occurred_at, u.external_id, a.external_id
FROM messages l LEFT JOIN users u ON u.number = l.user LEFT JOIN accounts a ON a.number = l.account
WHERE l.seq > ?1 AND l.seq < ?2
ORDER BY l.seq LIMIT ${PAGE_ROWS}`;

type Row = [
  seq: number,
  source: Source,
  messageId: string,
  type: string,
  event: string | null,
  occurredAt: number,
  userId: string | null,
  accountId: string | null,
];

export async function checkLog(databases: readonly D1Database[], senders: readonly Sender[]): Promise<Check[]> {
  const total = { rows: 0, acknowledged: 0, missing: 0, repeated: 0, unknown: 0, changed: 0 };
  for (const sender of senders) {
    const found = await compare(databases, sender);
    for (const [figure, count] of Object.entries(found)) Reflect.set(total, figure, Reflect.get(total, figure) + count);
  }
  let stored = 0;
  for (const database of databases)
    stored += (await database.prepare("SELECT count(*) AS count FROM messages").first<number>("count")) ?? 0;
  const { rows, acknowledged, missing, repeated, unknown, changed } = total;
  return [
    {
      name: "every acknowledged message is in the log once",
      ok: missing === 0 && repeated === 0,
      figures: { acknowledged, missing, repeated },
    },
    {
      name: "nothing else is in the log, and nothing that was refused",
      ok: unknown === 0 && stored === rows,
      figures: { stored, unknown },
    },
    {
      name: "every message has the type, event, time, user and account that it was first sent with",
      ok: changed === 0,
      figures: { compared: rows, changed },
    },
  ];
}

async function compare(
  databases: readonly D1Database[],
  { workspace: { id, world }, ledger }: Sender,
): Promise<Record<"rows" | "acknowledged" | "missing" | "repeated" | "unknown" | "changed", number>> {
  const seen = { cdp: new Set<number>(), native: new Set<number>() };
  const found = { rows: 0, repeated: 0, unknown: 0, changed: 0 };
  for await (const [, source, messageId, type, event, occurredAt, userId, accountId] of logOf(databases, id)) {
    found.rows += 1;
    const number = Number(messageId.slice(messageIdOf(0).length - 1));
    if (messageId !== messageIdOf(number) || !ledger.acknowledged(source).has(number)) {
      found.unknown += 1;
      continue;
    }
    if (seen[source].has(number)) found.repeated += 1;
    seen[source].add(number);
    const sent = contentOf(world, source, number);
    const isSame =
      type === sent.type &&
      event === sent.event &&
      occurredAt === sent.occurredAt &&
      userId === sent.userId &&
      (sent.accountId === null || accountId === sent.accountId);
    if (!isSame) found.changed += 1;
  }
  const acknowledged = sumOf(SOURCES, (source) => ledger.acknowledged(source).size);
  return { ...found, acknowledged, missing: acknowledged - seen.cdp.size - seen.native.size };
}

async function* logOf(databases: readonly D1Database[], workspaceId: string): AsyncGenerator<Row> {
  const { database, number } = await find(databases, workspaceId);
  const end = (number + 1) * 2 ** 32;
  for (let after = number * 2 ** 32; ;) {
    const rows = await database.prepare(SELECT_PAGE).bind(after, end).raw<Row>();
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    [after] = last;
  }
}

async function find(
  databases: readonly D1Database[],
  workspaceId: string,
): Promise<{ database: D1Database; number: number }> {
  for (const database of databases) {
    const numbered = database.prepare("SELECT number FROM workspace_states WHERE id = ?1").bind(workspaceId);
    const number = await numbered.first<number>("number");
    if (number !== null) return { database, number };
  }
  throw new Error(`No database has the workspace ${workspaceId}.`);
}
