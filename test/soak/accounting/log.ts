/** The log against the ledgers: message by message, by what senders know of each. */
import { contentOf, messageIdOf, type Source, SOURCES } from "../load/content.ts";
import { STATE } from "../load/ledger.ts";
import type { WorkspaceLedger } from "../load/protocol.ts";
import { type Check, sumOf } from "./check.ts";

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

interface Comparison {
  rows: number;
  acknowledged: number;
  /** Acknowledged, and not there. */
  missing: number;
  repeated: number;
  /** There, and never sent, or never answered but with a refusal. */
  strange: number;
  /** There, and not with the content it was sent with first. */
  changed: number;
  /** Sent, and never answered so that it tells. */
  uncertain: number;
}

export async function checkLog(database: D1Database, ledgers: readonly WorkspaceLedger[]): Promise<Check[]> {
  const found: Comparison[] = [];
  for (const ledger of ledgers) found.push(await compare(database, ledger));
  const total = (of: keyof Comparison) => sumOf(found, (one) => one[of]);
  const stored = await database.prepare("SELECT count(*) AS count FROM messages").first<number>("count");
  const [missing, repeated, strange, changed] = [
    total("missing"),
    total("repeated"),
    total("strange"),
    total("changed"),
  ];
  return [
    {
      name: "each message that was acknowledged is in the log, once",
      ok: missing === 0 && repeated === 0,
      figures: { acknowledged: total("acknowledged"), missing, repeated },
    },
    {
      name: "nothing else is in the log, above all nothing that was refused",
      ok: strange === 0 && stored === total("rows") && total("uncertain") === 0,
      figures: { stored: stored ?? 0, strange, uncertain: total("uncertain") },
    },
    {
      name: "each message has the type, event, time, user and named account that it was sent with first",
      ok: changed === 0,
      figures: { compared: total("rows"), changed },
    },
  ];
}

async function compare(database: D1Database, { id, world, states }: WorkspaceLedger): Promise<Comparison> {
  const count = (state: number) => sumOf(SOURCES, (source) => states[source].filter((one) => one === state).length);
  const result = {
    rows: 0,
    acknowledged: count(STATE.acknowledged),
    missing: 0,
    repeated: 0,
    strange: 0,
    changed: 0,
    uncertain: count(STATE.uncertain),
  };
  const seen = { cdp: new Uint8Array(states.cdp.length), native: new Uint8Array(states.native.length) };
  for await (const [, source, messageId, type, event, occurredAt, userId, accountId] of logOf(database, id)) {
    result.rows += 1;
    const number = Number(messageId.slice(messageIdOf(0).length - 1));
    const state = messageIdOf(number) === messageId ? states[source][number] : undefined;
    if (state !== STATE.acknowledged && state !== STATE.uncertain) {
      result.strange += 1;
      continue;
    }
    if (seen[source][number] === 1) result.repeated += 1;
    seen[source][number] = 1;
    const sent = contentOf(world, source, number);
    const isSame =
      type === sent.type &&
      event === sent.event &&
      occurredAt === sent.occurredAt &&
      userId === sent.userId &&
      (sent.accountId === null || accountId === sent.accountId);
    if (!isSame) result.changed += 1;
  }
  for (const source of SOURCES) {
    for (const [number, state] of states[source].entries()) {
      if (state === STATE.acknowledged && seen[source][number] !== 1) result.missing += 1;
    }
  }
  return result;
}

async function* logOf(database: D1Database, workspaceId: string): AsyncGenerator<Row> {
  const number = await database
    .prepare("SELECT number FROM workspaces WHERE id = ?1")
    .bind(workspaceId)
    .first<number>("number");
  if (number === null) throw new Error(`there is no workspace ${workspaceId}`);
  const end = (number + 1) * 2 ** 32;
  for (let after = number * 2 ** 32; ;) {
    const rows = await database.prepare(SELECT_PAGE).bind(after, end).raw<Row>();
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    [after] = last;
  }
}
