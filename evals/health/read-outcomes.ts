/** Reads outcomes from the tables, with external ids. */
import type { WorkspaceContext } from "../../src/core/health/model.ts";
import type { ItemKind, Resolution } from "../../src/core/inbox/model.ts";
import type { HealthRow, SeenItem } from "./observed.ts";
import { START_DAY } from "../simulator/calendar.ts";
import type { Service } from "./service.ts";

interface ItemRow {
  number: number;
  account: string | null;
  kind: ItemKind;
  resolved_day: number | null;
  resolution: Resolution | null;
}

/** Collects inbox items as they appear, because people saw an item even if it is withdrawn later. */
export class ItemLog {
  readonly #service: Service;
  readonly #seen: Map<number, SeenItem>;

  constructor(service: Service, seen: ReadonlyMap<number, SeenItem> = new Map()) {
    this.#service = service;
    this.#seen = new Map(seen);
  }

  /** Returns a log of a copy of the service, with the items so far. */
  copyFor(service: Service): ItemLog {
    return new ItemLog(service, this.#seen);
  }

  get seen(): SeenItem[] {
    return [...this.#seen.values()];
  }

  /** @param day that the recompute has just scored */
  async read(day: number): Promise<void> {
    const { results } = await query<ItemRow>(
      this.#service,
      `SELECT i.number, a.external_id AS account, i.kind, i.resolved_day, i.resolution
       FROM inbox_items i LEFT JOIN accounts a ON a.number = i.account`,
    );
    for (const { number, account, kind, resolved_day, resolution } of results) {
      const seenDay = this.#seen.get(number)?.seenDay ?? day;
      const resolvedDay = resolved_day === null ? null : resolved_day - START_DAY;
      this.#seen.set(number, { account, kind, seenDay, resolvedDay, resolution });
    }
  }
}

/** Returns the health history of each account. */
export async function readHealth(service: Service): Promise<Map<string, HealthRow[]>> {
  const { results } = await query<Omit<HealthRow, "losses"> & { account: string; losses: string }>(
    service,
    `SELECT a.external_id AS account, h.day, h.state, h.score, h.uncapped, h.losses
     FROM health_days h JOIN accounts a ON a.number = h.account
     ORDER BY h.account, h.day`,
  );
  const rows = results.map(({ day, losses, ...row }) => {
    return { ...row, day: day - START_DAY, losses: JSON.parse(losses) };
  });
  return Map.groupBy(rows, ({ account }) => account);
}

/** Returns the workspace's lowest factor for each day. */
export async function readFactors(service: Service, days: number): Promise<number[]> {
  const { results } = await query<{ day: number; context: string }>(
    service,
    "SELECT day, context FROM workspace_contexts ORDER BY day",
  );
  const factors = Array.from({ length: days }, () => 1);
  for (const { day, context } of results) {
    const { factor }: WorkspaceContext = JSON.parse(context);
    const hasFactor = factor.count > MIN_OTHERS;
    factors[day - START_DAY] = hasFactor ? Math.max(MIN_FACTOR, Math.min(1, ...factor.middle)) : 1;
  }
  return factors;
}

/** With fewer other accounts the service uses no factor, and it never uses a lower factor than this. */
const MIN_OTHERS = 10;
const MIN_FACTOR = 0.25;

/**
 * Returns everything that the recompute concluded about each account, as text to compare. Users and features appear by
 * name, because their numbers depend on the order of arrival.
 */
export async function readConclusions(service: Service): Promise<Map<string, string>> {
  const conclusions = new Map<string, string>();
  for (const sql of CONCLUSIONS) {
    const { results } = await query<{ account: string; text: string }>(service, sql);
    for (const { account, text } of results) {
      conclusions.set(account, `${conclusions.get(account) ?? ""}${text}\n`);
    }
  }
  return conclusions;
}

const CONCLUSIONS = [
  `SELECT a.external_id AS account, h.health AS text
   FROM health h JOIN accounts a ON a.number = h.account`,
  `SELECT a.external_id AS account,
     concat_ws(' ', h.day, h.state, h.band, h.score, h.uncapped, h.coverage, h.confidence, h.losses) AS text
   FROM health_days h JOIN accounts a ON a.number = h.account
   ORDER BY h.account, h.day`,
  `SELECT coalesce(a.external_id, '') AS account,
     concat_ws(' ', i.kind, coalesce(u.external_id, e.name, i.subject), i.occurrence, i.opened_day, i.confirmed_day,
       i.resolved_day, i.resolution, i.severity, i.confidence, i.rank, i.due_at, i.evidence) AS text
   FROM inbox_items i
   LEFT JOIN accounts a ON a.number = i.account
   LEFT JOIN users u ON i.kind = 'key_user_quiet' AND u.number = CAST(i.subject AS INTEGER)
   LEFT JOIN event_names e ON i.kind = 'feature_dropped' AND e.number = CAST(i.subject AS INTEGER)
   ORDER BY account, i.kind, text`,
];

const query = <Row>({ env }: Service, sql: string): Promise<D1Result<Row>> => env.DB.prepare(sql).all<Row>();
