/** What destinations should be told, by a comparison of all stored outcomes before and after runs. */
import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { sql } from "drizzle-orm";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { accountOwners, accounts, destinations, healthDays, inboxItems } from "../../../src/db/schema/schema.ts";
import { outboxOf } from "../support/destinations.ts";

type Item = typeof inboxItems.$inferSelect;
type Destination = typeof destinations.$inferSelect;

export interface Snapshot {
  items: Map<number, Item>;
  /** By account and day. */
  states: Map<string, string>;
  accounts: Map<number, { mrr: number | null; owner: string | null }>;
  destinations: Destination[];
}

interface Told {
  type: Destination["events"][number];
  subject: number;
  account: number;
  day: number;
  change: string;
  detail: string | null;
  item?: Item;
}

export async function takeSnapshot({ number }: WorkspaceRef): Promise<Snapshot> {
  const db = drizzle(env.DB);
  const own = (column: string) => sql.raw(`${column} >> 32 = ${number}`);
  const [items, days, ours, owners, listed] = await db.batch([
    db.select().from(inboxItems).where(own("number")),
    db.select().from(healthDays).where(own("account")),
    db.select().from(accounts).where(own("number")),
    db.select().from(accountOwners).where(own("account")),
    db.select().from(destinations).where(own("number")),
  ]);
  const ownerOf = new Map(owners.map(({ account, owner }) => [account, owner]));
  return {
    items: new Map(items.map((item) => [item.number, item])),
    states: new Map(days.map(({ account, day, state }) => [`${account} ${day}`, state])),
    accounts: new Map(
      ours.map((account) => {
        const mrr = account.attributes.mrr?.[0];
        return [
          account.number,
          { mrr: typeof mrr === "number" ? mrr : null, owner: ownerOf.get(account.number) ?? null },
        ];
      }),
    ),
    destinations: listed,
  };
}

/** What a pair of an item's states says. */
const SAYS: Readonly<Record<string, readonly ("first day" | "last day" | "resolved")[]>> = {
  "absent open": ["first day"],
  "withdrawn open": ["last day"],
  "closed open": ["last day"],
  "absent closed": ["first day", "resolved"],
  "withdrawn closed": ["first day", "resolved"],
  "open closed": ["resolved"],
  "open withdrawn": ["resolved"],
};

function situationOf(item: Item | undefined): "absent" | "open" | "closed" | "withdrawn" {
  if (item === undefined) return "absent";
  if (item.resolution === "withdrawn") return "withdrawn";
  return item.resolvedDay === null ? "open" : "closed";
}

function toldOfItems(before: Snapshot, after: Snapshot, lastDay: number): Told[] {
  return [...after.items.values()].flatMap((item) => {
    const says = SAYS[`${situationOf(before.items.get(item.number))} ${situationOf(item)}`] ?? [];
    return says.map((what): Told => {
      const about = { subject: item.number, account: item.account, detail: null, item };
      if (what === "resolved") {
        return { type: "inbox.resolved", ...about, day: item.resolvedDay ?? 0, change: item.resolution ?? "" };
      }
      return { type: "inbox.opened", ...about, day: what === "first day" ? item.openedDay : lastDay, change: "" };
    });
  });
}

function toldOfHealth(before: Snapshot, after: Snapshot): Told[] {
  return [...after.states].flatMap(([key, state]): Told[] => {
    const [account = 0, day = 0] = key.split(" ").map(Number);
    const earlier = after.states.get(`${account} ${day - 1}`);
    if (earlier === undefined || earlier === state || before.states.get(key) === state) return [];
    return [{ type: "health.changed", subject: account, account, day, change: state, detail: earlier }];
  });
}

const SEVERITIES = ["low", "medium", "high", "critical"];

function wants({ events, filter, disabledAt }: Destination, told: Told, { accounts: known }: Snapshot): boolean {
  if (disabledAt !== null || !events.includes(told.type)) return false;
  const account = known.get(told.account);
  if (filter.owner !== undefined && account?.owner !== filter.owner) return false;
  const before = told.item?.evidence.find(({ code }) => code === "mrr")?.expected ?? -1;
  if (filter.minMrr !== undefined && Math.max(account?.mrr ?? -1, before) < filter.minMrr) return false;
  if (told.item === undefined) return true;
  if (filter.kinds !== undefined && !filter.kinds.includes(told.item.kind)) return false;
  const least = SEVERITIES.indexOf(filter.minSeverity ?? "low");
  return SEVERITIES.indexOf(told.item.severity) >= least;
}

/** Lists what a workspace's destinations should be told of the change from one snapshot to the next. */
export function newsBetween(before: Snapshot, after: Snapshot, lastDay: number, quietThrough = -Infinity): string[] {
  return [...toldOfItems(before, after, lastDay), ...toldOfHealth(before, after)]
    .filter(({ day }) => day <= lastDay && day > lastDay - 3 && day > quietThrough)
    .flatMap((told) =>
      after.destinations
        .filter((destination) => wants(destination, told, after))
        .map(({ number }) => [number, told.type, told.subject, told.day, told.change, told.detail].join(" ")),
    );
}

/** Lists what the outbox has, in the same words. */
export const storedNews = async (workspace: WorkspaceRef): Promise<string[]> =>
  (await outboxOf(workspace)).map(({ destination, type, subject, day, change, detail }) =>
    [destination, type, subject, day, change, detail].join(" "),
  );
