/** Checks that exactly the acknowledged messages are stored: a fast service must not lose any. */
import type { Measured } from "./rounds.ts";
import type { Services } from "./services.ts";

/**
 * @param atConstantRate the captures of the latency rounds; the naive Worker got the same number
 * @throws Error if the numbers of stored and acknowledged messages differ
 */
export async function checkStored(services: Services, measured: Measured[], atConstantRate: number): Promise<void> {
  const { naive, ours, keys } = services;
  const sum = (...names: string[]): number =>
    measured.reduce((total, { name, stored }) => total + (names.includes(name) ? stored : 0), 0);
  const duplicated = 1_000 * keys.length;
  for (const [what, { database }, sql, expected] of [
    [
      "rows of the naive Worker",
      naive,
      "SELECT count(*) AS n FROM events",
      sum("naive", "naive batch of 1,000") + atConstantRate,
    ],
    ["captures", ours, "SELECT count(*) AS n FROM messages WHERE source = 'native'", sum("capture") + atConstantRate],
    [
      "tracks",
      ours,
      `SELECT count(*) AS n FROM messages m JOIN workspaces w ON w.number = m.workspace
       WHERE m.source = 'cdp' AND w.write_limit > 100`,
      sum("track", "batch of 15", "batch of 100", "batch of 1,000") + duplicated,
    ],
  ] as const) {
    const found = await database.prepare(sql).first<number>("n");
    if (found !== expected) throw new Error(`${expected} ${what} were acknowledged, but ${found} are stored`);
  }
}
