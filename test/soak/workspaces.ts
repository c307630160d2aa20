/** The workspaces of a soak, made by the admin API. */
import { DEFAULT_WRITE_LIMIT } from "../../src/core/limit/policy.ts";
import { MAX_WRITE_LIMIT } from "../../src/config.ts";
import type { ServedWorker } from "../harness/serve-worker.ts";
import type { SenderSetup } from "./load/protocol.ts";

/** One in so many has a larger limit. */
const LARGE_EVERY = 20;
const LARGE_LIMIT = 1_000;
/** One in so many has accepted the data processing agreement. */
const AGREED_EVERY = 4;

/** @returns as many that send, and one that finds out how much the service takes */
export async function makeWorkspaces(
  worker: ServedWorker,
  count: number,
  epoch: number,
): Promise<{ senders: SenderSetup[]; probe: SenderSetup }> {
  const make = async (workspace: string, limit: number, agreed: boolean): Promise<SenderSetup> => {
    const { id, key } = await worker.createWorkspace({ name: workspace, writeLimit: limit });
    if (agreed) {
      const accepted = await worker.admin("PUT", `/admin/workspaces/${id}/dpa`, { acceptedBy: "Soak", version: "1" });
      if (!accepted.ok) throw new Error(`the agreement was not accepted: ${await accepted.text()}`);
    }
    return { id, key, limit, agreed, world: { workspace, epoch } };
  };
  const senders: SenderSetup[] = [];
  for (let place = 1; place <= count; place++) {
    const limit = place % LARGE_EVERY === 0 || place === count ? LARGE_LIMIT : DEFAULT_WRITE_LIMIT;
    senders.push(await make(`workspace-${place}`, limit, place % AGREED_EVERY === 0));
  }
  return { senders, probe: await make("probe", MAX_WRITE_LIMIT, true) };
}
