/** Calls of the administration. They change workspaces that nothing else is asked of. */
import type { Bindings } from "../bindings.ts";
import type { Chance } from "../chance.ts";
import type { Seed } from "../request.ts";

export function administrationSeed(chance: Chance, _key: string, { adminToken, targets }: Bindings): Seed {
  const { id, keyId } = targets.length > 0 ? chance.pick(targets) : { id: "ws_0", keyId: "key_0" };
  const [method, path, body] = chance.pick<[method: string, path: string, body?: unknown]>([
    ["POST", "", { name: "Fuzzed", writeLimit: 1_000 }],
    ["GET", `?limit=${chance.between(1, 10)}`],
    ["GET", `/${id}`],
    ["GET", `/${id}`],
    ["PATCH", `/${id}`, { name: "Renamed", writeLimit: chance.between(1, 100_000) }],
    ["POST", `/${id}/keys`, { name: "A key", scopes: ["ingest", "read"] }],
    ["POST", `/${id}/keys`, {}],
    ["DELETE", `/${id}/keys/${keyId}`],
    ["PUT", `/${id}/dpa`, { acceptedBy: "Jo Doe", version: "2026-01" }],
    ["DELETE", `/${id}/dpa`],
    ["POST", `/${id}/rebuild`],
    ["DELETE", `/${id}`],
  ]);
  const authorization: Seed["headers"] = [["Authorization", `Bearer ${adminToken ?? "none"}`]];
  // Rarely: it takes as long as its budget.
  if (chance.below(300) === 0)
    return { method: "POST", target: "/admin/recompute", headers: authorization, json: null };
  const json = body === undefined ? null : JSON.stringify(body);
  const headers: Seed["headers"] =
    json === null ? authorization : [...authorization, ["Content-Type", "application/json"]];
  return { method, target: `/admin/workspaces${path}`, headers, json };
}
