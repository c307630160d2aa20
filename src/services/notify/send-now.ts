import type { Attempt } from "../../db/destinations/deliveries.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
export async function sendTest(_env: Env, _w: WorkspaceRef, _id: string, _now: number): Promise<Attempt | null> {
  return null;
}
type Resent = { outcome: "sent"; attempt: Attempt } | { outcome: "no_destination" | "no_attempt" | "no_notification" };
export async function resend(_env: Env, _w: WorkspaceRef, _id: string, _a: string, _now: number): Promise<Resent> {
  return { outcome: "no_destination" };
}
