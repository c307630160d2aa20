/**
 * Health and inbox as the reading operations tell them: what an answer about them has to agree with. Whether they are
 * right is for `npm run evaluate`.
 */
import type { Service } from "./service.ts";

export interface HealthTold {
  score: number | null;
  state: string;
  asOf: string;
  reasons: readonly { code: string; text: string }[];
  changes: readonly { component: string; points: number; text: string }[];
}

export interface ItemTold {
  id: string;
  kind: string;
  title: string;
  account: string | null;
}

export interface Outcomes {
  /** By account; `null` where it has none yet. */
  health: ReadonlyMap<string, HealthTold | null>;
  /** Open ones, the highest rank first. */
  items: readonly ItemTold[];
}

interface Listed {
  accounts: { externalId: string }[];
  nextCursor: string | null;
}
interface Told {
  account: { externalId: string; health: HealthTold | null };
}
interface Inbox {
  items: { id: string; kind: string; title: string; account: { externalId: string } | null }[];
  nextCursor: string | null;
}

export async function readOutcomes(service: Service): Promise<Outcomes> {
  const health = new Map<string, HealthTold | null>();
  const { accounts, nextCursor } = await read<Listed>(service, "/api/v1/accounts?limit=200");
  for (const { externalId } of accounts) {
    const { account } = await read<Told>(service, `/api/v1/accounts/${encodeURIComponent(externalId)}`);
    health.set(externalId, account.health);
  }
  const inbox = await read<Inbox>(service, "/api/v1/inbox?limit=200");
  if (nextCursor !== null || inbox.nextCursor !== null) throw new Error("there is more than a page of it");
  const items = inbox.items.map(({ id, kind, title, account }) => ({
    id,
    kind,
    title,
    account: account?.externalId ?? null,
  }));
  return { health, items };
}

async function read<T>(service: Service, path: string): Promise<T> {
  const response = await service.request(path);
  if (!response.ok) throw new Error(`${path} answers ${response.status}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the operations' own tests hold them to these shapes
  return response.json() as Promise<T>;
}
