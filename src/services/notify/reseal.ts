import { describeFault } from "../../core/describe-fault.ts";
import { listSealedByOthers, replaceSealed } from "../../db/destinations/sealed.ts";
import { currentKeyName, seal, unseal } from "./sealing.ts";

/** Seals with the present key what another one has sealed in a database, a part at a time. Logs nothing once nothing is left. */
export async function reseal(env: Env, database: string): Promise<void> {
  const rows = await listSealedByOthers(env, database, await currentKeyName(env));
  let resealed = 0;
  let fault: string | undefined;
  for (const row of rows) {
    try {
      await replaceSealed(env, database, row, await seal(env, row.id, await unseal(env, row)));
      resealed += 1;
    } catch (error) {
      fault = describeFault(error);
    }
  }
  if (rows.length > 0)
    console.log(JSON.stringify({ operation: "reseal", database, resealed, failed: rows.length - resealed, fault }));
}
