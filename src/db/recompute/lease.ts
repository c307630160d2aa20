/** One run at a time: a row that says who may write, and until when, should they never come back. */
import { LEASE, type Session } from "./session.ts";

/** @returns false where another run holds it and its time is not over */
export async function takeLease(session: Session, time: number, expiresAt: number): Promise<boolean> {
  const [taken] = await session.batch([
    [
      `
INSERT INTO leases (name, holder, expires_at) VALUES (?1, ?2, ?3)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
WHERE holder IS NULL OR holder = excluded.holder OR expires_at <= ?4`,
      LEASE,
      session.holder,
      expiresAt,
      time,
    ],
  ]);
  return (taken?.meta.changes ?? 0) > 0;
}

export async function giveBackLease(session: Session): Promise<void> {
  await session.batch([["UPDATE leases SET holder = NULL WHERE name = ?1 AND holder = ?2", LEASE, session.holder]]);
}
