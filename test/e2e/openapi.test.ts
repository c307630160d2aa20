/** The API's description against the service: each operation is called in each way that it tells of, and answers as it says. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, it } from "vitest";

import type { AdminClient } from "../harness/admin-client.ts";
import { sharedWorker } from "../harness/shared-worker.ts";
import { type Call, exampleOf, goodCall, MORE, SPOILED } from "./openapi/calls.ts";
import { Description, type DescribedOperation, Judge, operationsOf } from "./openapi/description.ts";
import { type Story, tellStory } from "./openapi/story.ts";

const SLOW_MS = 300_000;

let worker: AdminClient;
let story: Story;
let description: Description;
let judge: Judge;
beforeAll(async () => {
  worker = sharedWorker();
  story = await tellStory(worker);
  description = Description.parse(await (await fetch(`${worker.url}/openapi.json`)).json());
  judge = new Judge(description);
}, SLOW_MS);

const call = ({ path, ...init }: Call): Promise<Response> => fetch(worker.url + path, init);

/** What is wrong with an answer, by what the operation says of its status. */
async function problemsOf(operation: DescribedOperation, response: Response): Promise<string[]> {
  const { status, headers } = response;
  const text = await response.clone().text();
  const told = judge.response(operation, status);
  if (told === undefined) return [`${status} is not described: ${text}`];
  const missing = Object.keys(told.headers).filter((name) => !headers.has(name));
  const [[type, content] = []] = Object.entries(told.content ?? {});
  if (type !== undefined && type !== "application/json") {
    return headers.get("Content-Type") === type ? [] : [`${status} is not ${type}`];
  }
  const schema = content?.schema;
  const wrong = schema === undefined ? (text === "" ? [] : ["has a body"]) : judge.problems(schema, JSON.parse(text));
  return [...missing.map((name) => `${status} without ${name}`), ...wrong.map((problem) => `${status} ${problem}`)];
}

async function codeOf(response: Response): Promise<string> {
  const code = response.status < 400 ? undefined : Reflect.get(Object(await response.clone().json()).error, "code");
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

/** Whether only a service without an admin token answers so: `http/admin-access` shows that. */
const needsNoToken = ({ path }: { path: string }, told: string): boolean =>
  told === "404 not_found" && path.startsWith("/admin/") && !path.includes("{");

/** Whether only a client that tries many keys is answered so: `http/client-limit` shows that. */
const needsManyKeys = ({ operationId, security }: DescribedOperation, told: string): boolean =>
  told === "429 rate_limited" &&
  (operationId.startsWith("eraseUser") || !/^(?:ingest|identity)$/.test(security[0]?.["apiKey"]?.[0] ?? ""));

/** Whether only a large erasure is answered so: `databases/tasks` shows that. */
const needsManyRows = ({ operationId }: DescribedOperation, told: string): boolean =>
  told === "202" && operationId.startsWith("erase");

/** Whether only headers of the request lead to it: `archive/archive` shows that. */
const needsHeaders = ({ operationId }: DescribedOperation, told: string): boolean =>
  operationId === "readArchiveFile" && ["206", "304", "416"].includes(told);

/** Whether the answer depends on how far a move has come: `moves/moves` shows that. */
const isRace = ({ operationId }: DescribedOperation, told: string): boolean =>
  operationId === "cancelMove" && told === "202";

/** Whether only a workspace with a backup is answered so: `backups/restore` shows that. */
const needsBackup = ({ operationId }: DescribedOperation, told: string): boolean =>
  operationId === "restoreWorkspace" && told === "202";

describe("The description of the API", () => {
  it("is an OpenAPI 3.1 document", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(description));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it("lets no object of an answer have fields that it does not know", () => {
    const open: string[] = [];
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      const { type, properties, additionalProperties }: Record<string, unknown> = Object(schema);
      if (type === "object" && properties !== undefined && additionalProperties !== false) open.push(path);
      for (const [key, value] of Object.entries(schema)) walk(value, `${path}/${key}`);
    };
    const answers = Object.entries(description.components.schemas).filter(
      ([name]) => !/(?:Request|Message)$/.test(name),
    );
    for (const [name, schema] of answers) walk(schema, name);
    walk(description.components.schemas["RejectedMessage"], "RejectedMessage");
    expect(open).toEqual([]);
  });

  it("has examples that are what it says they are", () => {
    const problems = operationsOf(description).flatMap((operation) => {
      const body = operation.requestBody?.content["application/json"];
      const ofRequest = body === undefined ? [] : judge.problems(body.schema, body.example);
      const ofAnswers = Object.keys(operation.responses).flatMap((status) => {
        const content = judge.response(operation, Number(status))?.content?.["application/json"];
        const examples = Object.values<{ value: unknown }>(Object(content?.["examples"]));
        return examples.flatMap(({ value }) => judge.problems(content?.schema ?? {}, value));
      });
      return [...ofRequest, ...ofAnswers].map((problem) => `${operation.operationId} ${problem}`);
    });
    expect(problems).toEqual([]);
  });

  it(
    "§1 is what each operation answers: every success and every error that it names, with the headers that it names",
    async () => {
      for (const operation of operationsOf(description)) {
        const met = new Set<string>();
        const problems: string[] = [];
        const note = async (response: Response) => {
          met.add(await codeOf(response));
          problems.push(...(await problemsOf(operation, response)));
        };
        const tellable = judge
          .told(operation)
          .filter(
            (told) =>
              ![needsNoToken, needsManyKeys, needsManyRows, needsHeaders, needsBackup, isRace].some((isRare) =>
                isRare(operation, told),
              ),
          );
        for (const told of tellable) {
          const good = await goodCall(operation, story, worker);
          const [, code] = told.split(" ");
          const spoil = code === undefined ? undefined : SPOILED[code];
          await note(await call(spoil === undefined ? good : spoil(good, operation, story)));
          // The first one may still be admitted.
          if (code === "rate_limited") await note(await call(withTightKey(good)));
        }
        expect(problems, operation.operationId).toEqual([]);
        expect([...met], operation.operationId).toEqual(expect.arrayContaining(tellable));
      }
    },
    SLOW_MS,
  );

  it("§1 knows every field of what is answered about whatever there is", async () => {
    const operations = operationsOf(description);
    const filled = new Set<string>();
    for (const one of MORE) {
      const [bare = ""] = one.path.split("?");
      const operation = operations.find(
        ({ path, method }) =>
          method === one.method && new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(bare),
      );
      if (operation === undefined) throw new Error(`${one.path} is not described`);
      const headers = { Authorization: `Bearer ${story.key}`, ...(one.body && { "Content-Type": "application/json" }) };
      const response = await call({ ...one, headers });
      for (const [field, value] of Object.entries(Object(await response.clone().json()))) {
        if (Array.isArray(value) ? value.length > 0 : value !== null) filled.add(`${operation.operationId} ${field}`);
      }
      expect(response.status, one.path).toBe(200);
      expect(await problemsOf(operation, response), `${one.path} ${one.body ?? ""}`).toEqual([]);
    }
    // Of an empty list anything could be said.
    expect([...filled]).toEqual(
      expect.arrayContaining([
        "listAccounts accounts",
        "listAccounts nextCursor",
        "listInbox items",
        "listEvents events",
        "listRejected rejected",
        "listRejected counts",
        "captureEvent ignored",
        "captureEvent redacted",
        "ingestMessages rejected",
        "ingestMessages redacted",
        "ask evidence",
        "ask reason",
        "ask candidates",
        "ask value",
      ]),
    );
  });
});

const withTightKey = (good: Call): Call => ({
  ...good,
  headers: { ...good.headers, Authorization: `Bearer ${story.tightKey}` },
});

/** Values of every kind, put in place of each field in turn. */
const VALUES = [null, 0, -1, 1.5, "x", "", true, {}, []];

/** Where a rule speaks of several fields, or of more than a form, which JSON Schema can't say. */
const BEYOND_FORM = [
  /^(?:attachIdentity|attachIdentityUnversioned) (?:accountId|userId)/,
  /^(?:ask|askUnversioned|changeWorkspace) timezone "/,
  // A restore needs a backup and another database.
  /^restoreWorkspace (?:date left out|backup left out|giveUp left out|giveUp true)$/,
  // A workspace has one import at a time.
  /^startImport ttlHours left out$/,
  // An address is registered once.
  /^addPerson workspaces (?:left out|null|\[\])$/,
  // Names of measures and dimensions are text, and which there are depends on the workspace. `of` goes with shares alone.
  /^query (?:(?:measure|per) "x"|of \[\])$/,
];

describe("The description of requests", () => {
  it(
    "§3 §6 §9 §14 takes what the service takes and refuses what it refuses",
    async () => {
      const differences: string[] = [];
      let tried = 0;
      for (const operation of operationsOf(description).filter(({ requestBody }) => requestBody !== undefined)) {
        const { operationId, requestBody } = operation;
        const { schema } = requestBody?.content["application/json"] ?? { schema: { $ref: "" } };
        const name = schema.$ref.split("/").at(-1) ?? "";
        const fields = Object.keys(Object(description.components.schemas[name]?.["properties"]));
        const good = await goodCall(operation, story, worker);
        const example = Object(exampleOf(operation));
        const variants = fields.flatMap((field) => [
          { what: `${field} left out`, body: { ...example, [field]: undefined } },
          ...VALUES.map((value) => ({
            what: `${field} ${JSON.stringify(value)}`,
            body: { ...example, [field]: value },
          })),
        ]);
        for (const { what, body } of [...variants, { what: "one more", body: { ...example, oneMore: 1 } }]) {
          const response = await call({ ...good, body: JSON.stringify(body) });
          const isTaken = response.status < 400;
          const isDescribed = judge.problems(schema, JSON.parse(JSON.stringify(body))).length === 0;
          const isForm = !BEYOND_FORM.some((one) => one.test(`${operationId} ${what}`));
          tried += 1;
          // What is described may break another rule; what is not must be refused.
          if (isTaken !== isDescribed && (isForm || isTaken)) {
            differences.push(`${operationId} with ${what} is ${response.status}`);
          }
        }
      }
      expect(differences).toEqual([]);
      expect(tried).toBeGreaterThan(300);
    },
    SLOW_MS,
  );
});
