/** Reads, marks, identity and erasure: what people and their programs ask of a workspace. */
import type { Bindings } from "../bindings.ts";
import type { Chance } from "../chance.ts";
import type { Seed } from "../request.ts";
import { account, user } from "./ingest.ts";

const LISTS = ["/api/v1/events", "/api/v1/rejected", "/api/v1/accounts", "/api/v1/inbox"];
const FILTERS = [
  "status=snoozed",
  "status=resolved",
  "status=dismissed",
  "kind=trial_expired",
  "state=at_risk",
  "state=insufficient_data",
  "sort=mrr",
  "sort=lastSeen",
];

export function readSeed(chance: Chance, key: string, { cursors }: Bindings): Seed {
  const one = [`/api/v1/users/${user(chance)}`, `/api/v1/accounts/${account(chance)}`, "/healthz", "/readyz"];
  const list = chance.pick(LISTS);
  const query = [`limit=${chance.pick([1, 2, 5, 50])}`];
  const more = chance.pick(["cursor", "cursor", "filter", "none"]);
  if (more === "cursor") query.push(`cursor=${cursors[list] ?? ""}`);
  if (more === "filter") query.push(chance.pick(FILTERS));
  const target = chance.happens(40) ? chance.pick(one) : `${list}?${query.join("&")}`;
  return { method: "GET", target, headers: [["Authorization", `Bearer ${key}`]], json: null };
}

export function markSeed(chance: Chance, key: string, { itemIds, startedAt }: Bindings): Seed {
  const mark = chance.pick(["dismiss", "snooze"]);
  const target = `/api/v1/inbox/${itemIds.length > 0 ? chance.pick(itemIds) : "itm_0"}/${mark}`;
  const headers: Seed["headers"] = [["Authorization", `Bearer ${key}`]];
  if (chance.happens(30)) return { method: "DELETE", target, headers, json: null };
  if (mark === "dismiss") return { method: "POST", target, headers, json: null };
  const until = new Date(startedAt + chance.between(1, 300) * 86_400_000).toISOString();
  return {
    method: "POST",
    target,
    headers: [...headers, ["Content-Type", "application/json"]],
    json: JSON.stringify({ until }),
  };
}

export function identitySeed(chance: Chance, key: string): Seed {
  const headers: Seed["headers"] = [["Authorization", `Bearer ${key}`]];
  if (chance.happens(15)) {
    return { method: "DELETE", target: `/api/v1/users/${user(chance)}`, headers, json: null };
  }
  const traits = { company: "Acme Corp", name: "Jo Doe", email: "jo@acme.example" };
  return {
    method: "POST",
    target: chance.pick(["/api/v1/identity", "/api/identity"]),
    headers: [...headers, ["Content-Type", "application/json"]],
    json: JSON.stringify({ accountId: account(chance), userId: user(chance), traits }),
  };
}
