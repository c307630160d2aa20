/** Generates correct requests: one for each operation of the API's description, and those of client libraries. */
import * as fc from "fast-check";

import { type DescribedOperation, type Description, operationsOf } from "../e2e/openapi/description.ts";
import { exampleOf } from "../e2e/openapi/calls.ts";
import { LIBRARY_REQUESTS, WRITE_KEY } from "./library-requests.ts";
import type { Json, Seed } from "./request.ts";
import type { Workspaces } from "./service.ts";

const DAY_MS = 86_400_000;
/** A fixed time on a day, so that a case stays the same. */
const TOMORROW = new Date((Math.floor(Date.now() / DAY_MS) + 2) * DAY_MS).toISOString();
const COMPANIES = ["acme", "globex", "alone", "new-company"];
const USERS = ["u1", "acme-1", "acme-2", "new-user"];
/** How often each kind of request is made. */
const WEIGHTS = { library: 300, ingest: 8, ask: 50, admin: 3, other: 8 };
const QUESTIONS = [
  "How many events did acme have last week?",
  "How healthy is acme?",
  "What changed with acme?",
  "Who was active in acme this month?",
  "Compare acme this month with last month",
  "When was u1 last seen?",
  "What share of accounts uses report.exported?",
  "Which accounts have been silent for 10 days?",
  "Top 5 accounts by activity this month",
  "What is the total MRR by currency?",
  "What is the colour of acme?",
  "Will acme churn?",
];
const QUERY_VALUES: Readonly<Record<string, readonly string[]>> = {
  limit: ["1", "5", "50", "200"],
  state: ["healthy", "at_risk"],
  sort: ["mrr", "lastSeen"],
  status: ["snoozed", "resolved", "dismissed"],
  kind: ["trial_expired", "usage_drop"],
};

/** Takes the place of the names in an example. */
interface Names {
  key: string;
  company: string;
  user: string;
  /** Makes message ids that no other request has. */
  number: number;
}

export function seedRequests(description: Description, workspaces: Workspaces): fc.Arbitrary<Seed> {
  const { story, otherKey } = workspaces;
  const names = fc.record({
    key: fc.constantFrom(...Array.from({ length: 8 }, () => story.key), otherKey, story.tightKey),
    company: fc.constantFrom(...COMPANIES),
    user: fc.constantFrom(...USERS),
    number: fc.nat(2 ** 31 - 1),
  });
  // A recompute takes seconds. It runs after the cases.
  const operations = operationsOf(description).filter(
    ({ method, operationId }) => method !== "OPTIONS" && operationId !== "recompute",
  );
  const library = fc.tuple(fc.constantFrom(...LIBRARY_REQUESTS), names).map(([seed, own]) => rename(seed, own));
  return fc.oneof(
    { weight: WEIGHTS.library, arbitrary: library },
    ...operations.map((operation) => ({
      weight: weightOf(operation),
      arbitrary: fromDescription(operation, workspaces, names),
    })),
  );
}

function weightOf({ path, security }: DescribedOperation): number {
  if (path.startsWith("/admin/")) return WEIGHTS.admin;
  const [scope] = security.flatMap((one) => Object.values(one).flat());
  return scope === "ingest" ? WEIGHTS.ingest : scope === "ask" ? WEIGHTS.ask : WEIGHTS.other;
}

function fromDescription(
  operation: DescribedOperation,
  { cursors, targets, story, adminToken }: Workspaces,
  names: fc.Arbitrary<Names>,
): fc.Arbitrary<Seed> {
  const { operationId, path, method, parameters, requestBody } = operation;
  const isAdmin = path.startsWith("/admin/");
  const queries = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name }) =>
      (name === "cursor" ? [cursors[path] ?? ""] : (QUERY_VALUES[name] ?? [])).map((value) => `${name}=${value}`),
    )
    .map((pairs) => fc.constantFrom("", ...pairs));
  return fc
    .tuple(names, fc.tuple(...queries), fc.constantFrom(...targets), fc.constantFrom(...QUESTIONS))
    .map(([own, query, target, question]) => {
      const filled = path
        .replace("{keyId}", target.keyId)
        .replace("{id}", isAdmin ? target.id : story.item)
        .replace("{externalId}", path.includes("accounts") ? "acme" : "u1");
      const example: Json =
        operationId === "snoozeItem" ? { until: TOMORROW } : JSON.parse(JSON.stringify(exampleOf(operation) ?? null));
      const seed: Seed = {
        method,
        target: `${filled}?${query.filter((pair) => pair !== "").join("&")}`.replace(/\?$/, ""),
        headers: {
          Authorization: `Bearer ${isAdmin ? adminToken : WRITE_KEY}`,
          ...(requestBody === undefined ? {} : { "Content-Type": "application/json" }),
          ...(operationId.startsWith("capture") ? { "Idempotency-Key": `fuzz-${own.number}` } : {}),
        },
        body: operationId.startsWith("ask") ? { question } : example,
      };
      return rename(seed, own);
    });
}

function rename(seed: Seed, { key, company, user, number }: Names): Seed {
  const named = JSON.stringify(seed)
    .replaceAll(`Basic ${WRITE_KEY}`, `Basic ${btoa(`${key}:`)}`)
    .replaceAll(WRITE_KEY, key)
    .replaceAll(/\bacme\b(?![.-])/g, company)
    .replaceAll(/\bu1\b(?!@)/g, user)
    .replaceAll(/"messageId":"m(\d)"/g, `"messageId":"fuzz-${number}-$1"`);
  const renamed: Seed = JSON.parse(named);
  return renamed;
}
