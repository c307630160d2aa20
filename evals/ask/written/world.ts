/** The workspace of the written questions, as world.md describes it. */
import { readFileSync } from "node:fs";

import type { Names } from "./vocabulary.ts";

const ACCOUNT =
  /^- (?<id>.+), (?<plan>Starter|Team|Business|Enterprise), (?<industry>[^,]+), (?<region>emea|amer|apac)(?:, "(?<name>[^"]+)")?$/gmu;

export function writtenWorld(): Names {
  const text = readFileSync(new URL("world.md", import.meta.url), "utf8");
  const accounts = Array.from(text.matchAll(ACCOUNT), ({ groups = {} }) => groups);
  const people = /^Some people: (.+)\.$/mu.exec(text)?.[1] ?? "";
  const events = /as events with a time:\n(.+) \(a new feature/u.exec(text)?.[1] ?? "";
  return {
    accounts: accounts.map(({ id = "", name }) => ({ externalId: id, name: name ?? null })),
    users: people.split(", ").map((person) => {
      const [, id = "", name] = /^(\S+)(?: \((.+)\))?$/u.exec(person) ?? [];
      return { externalId: id, name: name ?? null };
    }),
    events: events.split(", ").map((event) => event.toLowerCase().replaceAll(" ", ".")),
    values: new Map<string, readonly string[]>([
      ["plan", ["Starter", "Team", "Business", "Enterprise"]],
      ["currency", ["EUR", "USD"]],
      ["account.industry", [...new Set(accounts.map(({ industry = "" }) => industry))]],
      ["account.region", ["emea", "amer", "apac"]],
      ["account.contractEndsOn", ["2027-01-31"]],
      ["user.role", ["admin", "analyst", "manager", "viewer", "engineer"]],
    ]),
    today: "2026-11-23",
    firstDay: "2026-08-25",
  };
}
