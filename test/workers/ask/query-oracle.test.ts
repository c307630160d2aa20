/**
 * Compares the query compiler with an oracle that goes through all messages. The messages of random worlds go through
 * the real ingest, and most of them are folded; every second world archives these. Then the compiler and the oracle answer
 * the same random queries.
 */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import { refuseWithoutHistory } from "../../../src/core/ask/query/compared-windows.ts";
import type { Query } from "../../../src/core/ask/query/model.ts";
import type { NamedSubject } from "../../../src/core/ask/query/subjects.ts";
import type { QueryResult } from "../../../src/core/ask/query/result.ts";
import { newBatch } from "../../../src/db/client/batch.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { addQueries } from "../../../src/db/ask/query/compile.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { dimensionsIn, foldMessages } from "../../../evals/ask/query/fold.ts";
import { oracleAnswer } from "../../../evals/ask/query/oracle.ts";
import type { OracleWorld } from "../../../evals/ask/query/rows.ts";
import { drawQuery } from "../../../evals/ask/query/queries.ts";
import type { StoredItem, StoredOutcomes } from "../../../evals/ask/query/values.ts";
import { bodyOf, FOLDED_AT, NOW, TODAY, type World, worldOf } from "../../../evals/ask/query/world.ts";
import { randomOf } from "../../../evals/simulator/random.ts";
import { markOwner } from "../../../src/db/accounts/owners.ts";
import { markItem } from "../../../src/db/inbox/marks.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { cases } from "../../thorough.ts";

const WORLDS = 16;
const QUERIES = cases(100);
/** Queries that are also answered in one statement. */
const TOGETHER = 8;

interface Subject {
  number: number;
  id: string;
  kind: "company" | "solo" | "user";
  externalId: string;
}

interface Told {
  seed: string;
  workspace: WorkspaceRef;
  known: OracleWorld;
  subjects: readonly Subject[];
}

async function tellWorlds(): Promise<Told[]> {
  const worlds = Array.from({ length: WORLDS }, (_, place) => worldOf(seedOf(place)));
  const workspaces = await Promise.all(worlds.map(() => newWorkspace({ writeLimit: 100_000 })));
  for (const [part, foldedAt] of [...FOLDED_AT, null].entries()) {
    for (const [place, world] of worlds.entries()) {
      const batch = (world.parts[part] ?? []).map(bodyOf);
      const answered = await workspaces[place]?.post("/api/v1/cdp", { batch });
      expect([answered?.status, answered?.body.rejected]).toEqual([200, []]);
    }
    if (foldedAt !== null) await fold(foldedAt);
  }
  const told: Told[] = [];
  for (const [place, world] of worlds.entries()) {
    const workspace = workspaces[place];
    if (workspace === undefined) throw new Error("Every world has a workspace.");
    await attachNames(workspace, world);
    if (place % 2 === 1) await archive(workspace, world);
    told.push(await readTold(place, world, await workspace.ref()));
  }
  return told;
}

/** `PROPERTY_SEED` chooses other worlds. */
const seedOf = (place: number): string => `world ${place} of ${fc.readConfigureGlobal().seed ?? 0}`;

async function fold(now: number): Promise<void> {
  // One invocation's statements don't suffice for all worlds.
  const options = { trigger: "admin", clock: () => now, budgetMs: 60_000, maxStatements: Infinity } as const;
  expect(await recompute(env, { now, ...options })).toMatchObject({ outcome: "done", run: { complete: true } });
}

/** Archives what is folded. */
async function archive(workspace: TestWorkspace, { parts }: World): Promise<void> {
  const { body } = await admin("POST", `/workspaces/${workspace.id}/archive`, { through: "9999-12-31" });
  expect(body["messages"]).toBe(parts.slice(0, -1).flat().length);
}

async function attachNames(workspace: TestWorkspace, { companies, people }: World): Promise<void> {
  await workspace.accept();
  for (const [accountId, company] of Object.entries(companies))
    await workspace.attach({ accountId, traits: { company } });
  for (const [userId, name] of Object.entries(people)) await workspace.attach({ userId, traits: { name } });
}

const rowsOf = async <Row>(sql: string, { number }: WorkspaceRef): Promise<Row[]> =>
  (await env.DB.prepare(sql).bind(number).all<Row>()).results;

const KEY = "a.kind || ' ' || a.external_id";

/** Every third world has rates, but none for yen. */
const RATES = { USD: 1, EUR: 2.5 };

async function readTold(index: number, world: World, workspace: WorkspaceRef): Promise<Told> {
  const seed = seedOf(index);
  const items = await rowsOf<{ id: string }>("SELECT id FROM inbox_items WHERE workspace = ?1", workspace);
  const act = { by: "Ada", at: NOW - 3 * DAY_MS };
  for (const [place, { id }] of items.entries()) {
    const mark = [{ dismissed: true }, { snoozedUntil: NOW + 1 }, { snoozedUntil: NOW }][place % 5];
    if (mark !== undefined) await markItem(env, workspace, id, mark, { ...act, withIdentity: false });
  }
  const accounts = await rowsOf<{ id: string }>("SELECT id FROM accounts WHERE workspace = ?1", workspace);
  for (const [place, { id }] of accounts.entries()) {
    const owner = ["Dana", "O'Brien (EMEA)", null][place % 3] ?? null;
    if (owner !== null) await markOwner(env, workspace, id, owner, act);
  }
  const folded = foldMessages(world.parts.flat(), world.parts.at(-1)?.length ?? 0);
  const known: OracleWorld = {
    ...folded,
    ...(await readOutcomes(workspace)),
    dimensions: dimensionsIn(folded, ["Dana", "O'Brien (EMEA)"]),
    companies: Object.fromEntries(
      Object.entries(world.companies).filter(([id]) => folded.accounts.some(({ externalId }) => externalId === id)),
    ),
    people: world.people,
    today: TODAY,
    now: NOW,
    ...(index % 3 === 0 && { rates: RATES }),
  };
  const subjects = await rowsOf<Subject>(
    `SELECT number, id, kind, external_id AS externalId FROM accounts WHERE workspace = ?1
     UNION ALL SELECT number, id, 'user', external_id FROM users WHERE workspace = ?1`,
    workspace,
  );
  return { seed, workspace, known, subjects };
}

async function readOutcomes(workspace: WorkspaceRef): Promise<StoredOutcomes> {
  const items = await rowsOf<StoredItem>(
    `SELECT i.id, ${KEY} AS account, i.kind, i.severity, i.opened_day AS openedDay, i.resolved_day AS resolvedDay,
       k.dismissed_at AS dismissedAt, k.snoozed_until AS snoozedUntil, i.rank, i.number,
       CASE i.kind WHEN 'key_user_quiet' THEN (SELECT u.external_id FROM users u WHERE u.number = CAST(i.subject AS INTEGER))
         WHEN 'feature_dropped' THEN (SELECT e.name FROM event_names e WHERE e.number = CAST(i.subject AS INTEGER)) END AS about
     FROM inbox_items i LEFT JOIN inbox_marks k ON k.item = i.number LEFT JOIN accounts a ON a.number = i.account
     WHERE i.workspace = ?1`,
    workspace,
  );
  return {
    health: await rowsOf(
      `SELECT ${KEY} AS account, h.state, h.score, h.health FROM health h JOIN accounts a ON a.number = h.account
       WHERE h.workspace = ?1`,
      workspace,
    ),
    healthDays: await rowsOf(
      `SELECT ${KEY} AS account, h.day, h.state, h.score FROM health_days h JOIN accounts a ON a.number = h.account
       WHERE a.workspace = ?1`,
      workspace,
    ),
    items,
    owners: await rowsOf(
      `SELECT ${KEY} AS account, o.owner FROM account_owners o JOIN accounts a ON a.number = o.account
       WHERE a.workspace = ?1`,
      workspace,
    ),
  };
}

/** Answers queries in one statement, as the parts of a summary. */
async function compiled({ workspace, known, subjects }: Told, queries: readonly Query[]): Promise<QueryResult[]> {
  const find = ({ type, name }: NamedSubject) =>
    ["company", "solo", "user"]
      .flatMap((kind) => subjects.filter((each) => each.kind === kind && (kind === "user") === (type === "user")))
      .find(({ externalId }) => externalId === name);
  const batch = newBatch(env, workspace);
  const readResults = addQueries(batch, queries, {
    dimensions: known.dimensions,
    today: TODAY,
    now: NOW,
    find,
    rates: known.rates,
  });
  await batch.run();
  return readResults();
}

/** A result with the oracle's ids and rounded numbers. */
function comparable(result: QueryResult, subjects: readonly Subject[]): unknown {
  const keys = new Map(
    subjects.map(({ id, kind, externalId }) => [id, kind === "user" ? externalId : `${kind} ${externalId}`]),
  );
  return JSON.parse(JSON.stringify(result), (name, value: unknown) => {
    if (typeof value === "number") return Math.round(value * 1e6) / 1e6;
    return name === "id" && typeof value === "string" ? (keys.get(value) ?? value) : value;
  });
}

it("§16 answers every query as the oracle does, alone and together with others", { timeout: 600_000 }, async () => {
  const failures: string[] = [];
  const compare = (found: unknown, expected: unknown, which: string) => {
    try {
      expect(found).toEqual(expected);
    } catch {
      failures.push(`${which}\n  found    ${text(found)}\n  expected ${text(expected)}`);
    }
  };
  for (const world of await tellWorlds()) {
    const random = randomOf(`queries of ${world.seed}`);
    const named = (types: readonly string[]) =>
      world.subjects.filter(({ kind }) => types.includes(kind)).map(({ externalId }) => externalId);
    const names = { account: [...named(["company", "solo"]), "nobody"], user: [...named(["user"]), "nobody"] };
    const answered: { query: Query; expected: unknown }[] = [];
    for (let count = 0; count < QUERIES; count += 1) {
      const query = drawQuery(random, world.known.dimensions, names);
      if (refuseWithoutHistory(query, TODAY, null) !== null) continue;
      const expected = comparable(oracleAnswer(world.known, query), world.subjects);
      const found = await compiled(world, [query]).then(
        ([result]) => result && comparable(result, world.subjects),
        (error: unknown) => String(error),
      );
      answered.push({ query, expected });
      compare(found, expected, `${world.seed}: ${JSON.stringify(query)}`);
    }
    // The queries of a find share tables.
    for (const several of Map.groupBy(answered, ({ query }) => query.find).values()) {
      const together = several.slice(0, TOGETHER);
      const found = await compiled(
        world,
        together.map(({ query }) => query),
      ).then(
        (results) => results.map((result) => comparable(result, world.subjects)),
        (error: unknown) => [String(error)],
      );
      for (const [index, { query, expected }] of together.entries())
        compare(found[index], expected, `${world.seed}, together: ${JSON.stringify(query)}`);
    }
  }
  expect(failures.length, `${failures.length} differ\n${failures.slice(0, 40).join("\n")}`).toBe(0);
});

const text = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).slice(0, 600);
