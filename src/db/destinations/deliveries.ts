import type { deliveryAttempts } from "../schema/schema.ts";
import type { WorkspaceRef } from "../client/database.ts";
export type Attempt = Omit<typeof deliveryAttempts.$inferSelect, "destination" | "number">;
export async function listAttempts(_env: Env, _workspace: WorkspaceRef, _id: string): Promise<Attempt[] | null> {
  return null;
}
