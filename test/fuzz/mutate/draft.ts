/** A case in the making: what mutators change. */
import type { Bindings, FuzzedWorkspace } from "../bindings.ts";
import type { Chance } from "../chance.ts";
import type { JsonTree } from "../json-tree.ts";
import type { FuzzRequest } from "../request.ts";

/** In this order: the JSON of the body, its bytes, their encoding, everything around them, the bytes of all of it. */
export const STAGES = ["json", "bytes", "encoding", "request", "wire"] as const;
export type Stage = (typeof STAGES)[number];

export interface Draft {
  chance: Chance;
  bindings: Bindings;
  workspace: FuzzedWorkspace;
  request: FuzzRequest;
  /** The body as long as it is JSON; `null` where there is none. Written into the request before the stage `bytes`. */
  json: { tree: JsonTree } | null;
}

export interface Mutator {
  name: string;
  stage: Stage;
  /** How often it is taken, against others. */
  weight: number;
  /** Changes the draft in place. */
  mutate(draft: Draft): void;
}

export function setHeader({ request }: Draft, name: string, value: string): void {
  removeHeader({ request }, name);
  request.headers.push([name, value]);
}

export function removeHeader({ request }: Pick<Draft, "request">, name: string): void {
  request.headers = request.headers.filter(([own]) => own.toLowerCase() !== name.toLowerCase());
}
