/** Migrations of databases that the previous version has filled. */
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

it("0001 fills in the first and the last day of each event from the rollups", async () => {
  await reset();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.slice(0, 1));
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO event_names (number, workspace, name) VALUES ((7 << 32) + 1, 7, 'login'), ((7 << 32) + 2, 7, 'unused')",
    ),
    env.DB.prepare(`INSERT INTO rollups (account, day, user, event, count, last_at)
      VALUES ((7 << 32) + 1, 20, 0, (7 << 32) + 1, 1, 0), ((7 << 32) + 2, 10, 0, (7 << 32) + 1, 1, 0)`),
  ]);
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  const { results } = await env.DB.prepare("SELECT name, first_day, last_day FROM event_names ORDER BY name").all();
  expect(results).toEqual([
    { name: "login", first_day: 10, last_day: 20 },
    { name: "unused", first_day: null, last_day: null },
  ]);
  await env.DB.batch(["event_names", "rollups"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  for (const database of [env.DB_1, env.DB_2]) await applyD1Migrations(database, env.TEST_MIGRATIONS);
});
