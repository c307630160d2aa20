import { DIRECTORY } from "../../config.ts";
import { describeFault } from "../../core/describe-fault.ts";
import { listSealedByOthers, replaceSealed } from "../../db/destinations/sealed.ts";
import { listKeysSealedByOthers, replaceSealedKey } from "../../db/workspaces/sealed-keys.ts";
import { currentKeyName, seal, type Sealed, unseal } from "./sealing.ts";

/**
 * Seals with the present key what another one has sealed in a database, a part at a time: the secrets of destinations, and
 * those of keys in the directory. Logs nothing once nothing is left.
 */
export async function reseal(env: Env, database: string): Promise<void> {
  const keyName = await currentKeyName(env);
  const destinations = await listSealedByOthers(env, database, keyName);
  const keys = database === DIRECTORY ? await listKeysSealedByOthers(env, keyName) : [];
  let resealed = 0;
  let fault: string | undefined;
  const replace = async <Row extends Sealed & { id: string }>(
    row: Row,
    store: (row: Row, sealed: Sealed) => Promise<void>,
  ) => {
    try {
      await store(row, await seal(env, row.id, await unseal(env, row)));
      resealed += 1;
    } catch (error) {
      fault = describeFault(error);
    }
  };
  for (const row of destinations) await replace(row, (old, sealed) => replaceSealed(env, database, old, sealed));
  for (const row of keys) await replace(row, (old, sealed) => replaceSealedKey(env, old, sealed));
  const found = destinations.length + keys.length;
  if (found > 0)
    console.log(JSON.stringify({ operation: "reseal", database, resealed, failed: found - resealed, fault }));
}
