/** Holds leases in the place of other runs. */
import { env } from "cloudflare:workers";

/** @param holder starts with `archive_` for a run of the archive */
export async function holdLease(database: D1Database, workspace: number, holder: string): Promise<void> {
  await database
    .prepare("REPLACE INTO leases (workspace, holder, expires_at) VALUES (?, ?, ?)")
    .bind(workspace, holder, Date.now() + 600_000)
    .run();
}

/** Takes over every lease, with its mark of a queued task. */
export async function holdAllLeases(holder: string): Promise<void> {
  await env.DB.prepare("UPDATE leases SET holder = ?, expires_at = ?")
    .bind(holder, Date.now() + 600_000)
    .run();
}

export async function freeLeases(database: D1Database = env.DB): Promise<void> {
  await database.prepare("DELETE FROM leases").run();
}

/** Ends the time of each lease, as a crashed run leaves it. */
export async function expireLeases(database: D1Database = env.DB): Promise<void> {
  await database.prepare("UPDATE leases SET expires_at = 0").run();
}

/** Dates the last backup of a workspace back. */
export async function setBackedUp(workspace: number, at: number): Promise<void> {
  await env.DB.prepare("UPDATE leases SET backed_up_at = ? WHERE workspace = ?").bind(at, workspace).run();
}
