/** A case: a request of somebody's, and what was done to it. A pure function of seed, number and bindings. */
import type { Bindings, FuzzedWorkspace } from "./bindings.ts";
import { canariesIn, Chance } from "./chance.ts";
import { toTree, write } from "./json-tree.ts";
import { chooseMutators } from "./mutate/choose.ts";
import { type Draft, STAGES } from "./mutate/draft.ts";
import { plantCanary } from "./mutate/json-values.ts";
import type { FuzzRequest } from "./request.ts";
import { sendersFor } from "./seeds/senders.ts";

export interface FuzzCase {
  number: number;
  /** By name; of a case that is as it was made, none. */
  mutators: string[];
  workspace: FuzzedWorkspace;
  request: FuzzRequest;
  /** The long texts in it, wherever they stand. */
  canaries: string[];
}

const TIGHT_PERCENT = 10;
/** Canaries often go along with whatever else is done. */
const CANARY_PERCENT = 40;

export function makeCase(seed: number, number: number, bindings: Bindings): FuzzCase {
  const chance = new Chance(seed, number);
  const workspace = pickWorkspace(chance, bindings);
  const {
    json,
    gzipped = false,
    ...sent
  } = chance.weighted(sendersFor(bindings)).seed(chance, workspace.key, bindings);
  const request: FuzzRequest = { ...sent, body: null, wire: null };
  const draft: Draft = {
    chance,
    bindings,
    workspace,
    request,
    json: json === null ? null : { tree: toTree(JSON.parse(json)) },
  };
  if (chance.happens(CANARY_PERCENT)) plantCanary(draft);

  const mutators = chooseMutators(chance, { hasBody: json !== null, gzipped });
  for (const stage of STAGES) {
    if (stage === "bytes" && draft.json !== null) request.body = Buffer.from(write(draft.json.tree));
    for (const mutator of mutators) if (mutator.stage === stage) mutator.mutate(draft);
  }
  const written = [request.target, ...request.headers.flat(), draft.json === null ? "" : write(draft.json.tree)];
  return {
    number,
    mutators: mutators.map(({ name }) => name),
    workspace,
    request,
    canaries: written.flatMap(canariesIn),
  };
}

function pickWorkspace(chance: Chance, { workspaces }: Bindings): FuzzedWorkspace {
  const tight = workspaces.filter((one) => one.tight);
  const isTight = chance.happens(TIGHT_PERCENT) && tight.length > 0;
  return chance.pick(isTight ? tight : workspaces.filter((one) => !one.tight));
}
