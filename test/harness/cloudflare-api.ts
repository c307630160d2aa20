/** A local stand-in for Cloudflare's API, and the project's commands that call it with the real wrangler. */
import { execFile } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { freePort } from "./free-port.ts";
import { QUIET_WRANGLER } from "./quiet-wrangler.ts";

export const idOf = (number: number): string => `0000000${number}-0000-4000-8000-000000000000`;

const queueOf = (url = ""): string => new URL(url, "http://api").searchParams.get("name") ?? "";

function answer(response: ServerResponse, result: unknown, status = 200, code = 7500): void {
  const errors = status === 200 ? [] : [{ code, message: "refused by the test" }];
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ success: status === 200, errors, messages: [], result }));
}

export interface CloudflareApi {
  calls: string[];
  /** The databases, queues, buckets and secrets that were created. */
  created: unknown[];
  /** The databases that the account has, with their jurisdictions. */
  listed: { uuid: string; jurisdiction: string | null }[];
  /** The queues, buckets and secrets that the account doesn't have. */
  lacking: Set<string>;
  /** The queries of logs, and their results by the id of the query. */
  logQueries: { queryId: string; timeframe: { from: number; to: number } }[];
  logResults: Map<string, unknown>;
  url: string;
  /** Forgets the calls, and from now on fails the queries of this database. */
  fail(id: string): void;
  /** The databases that were queried, in order. */
  queried(): string[];
  stop(): void;
}

/** Answers as Cloudflare does when it creates, lists and queries databases. */
export async function startApi(): Promise<CloudflareApi> {
  const calls: string[] = [];
  const created: unknown[] = [];
  const listed: CloudflareApi["listed"] = [];
  const lacking = new Set<string>();
  const logQueries: CloudflareApi["logQueries"] = [];
  const logResults: CloudflareApi["logResults"] = new Map();
  let broken = "";
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = (request.url ?? "").replace(/^.*\/accounts\/account/, "").replace(/\?.*$/, "");
      const queue = queueOf(request.url);
      calls.push(`${request.method} ${path}`);
      if (request.method === "POST" && path === "/d1/database") {
        created.push(JSON.parse(body));
        const { jurisdiction = null }: { jurisdiction?: string | null } = JSON.parse(body);
        listed.push({ uuid: idOf(created.length), jurisdiction });
        return answer(response, { uuid: idOf(created.length), name: "created", primary_location_hint: "weur" });
      }
      if (path === "/d1/database") return answer(response, listed);
      if (path === "/workers/observability/telemetry/query") {
        const query: CloudflareApi["logQueries"][number] = JSON.parse(body);
        logQueries.push(query);
        return answer(response, logResults.get(query.queryId) ?? { calculations: [{ aggregates: [] }] });
      }
      if (/^\/(?:r2\/buckets|queues)/.test(path) && request.method === "POST") {
        created.push(JSON.parse(body));
        return answer(response, JSON.parse(body));
      }
      if (/^\/workers\/.*\/secrets$/.test(path)) {
        if (request.method === "PUT") created.push(JSON.parse(body));
        const known = ["ADMIN_TOKEN", "SECRETS_KEY"].filter((name) => !lacking.has(name));
        return answer(
          response,
          known.map((name) => ({ name, type: "secret_text" })),
        );
      }
      if (path === "/queues")
        return answer(response, lacking.has(queue) ? [] : [{ queue_name: queue, queue_id: queue }]);
      const bucket = /^\/r2\/buckets\/([^/]+)\/lifecycle$/.exec(path)?.[1];
      if (bucket !== undefined)
        return lacking.has(bucket) ? answer(response, null, 404, 10006) : answer(response, { rules: [] });
      const isQuery = path.startsWith("/d1/database/") && (broken === "" || !path.includes(broken));
      return isQuery ? answer(response, [{ results: [], success: true, meta: {} }]) : answer(response, null, 400);
    });
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", () => listening()));
  return {
    calls,
    created,
    listed,
    lacking,
    logQueries,
    logResults,
    url: `http://127.0.0.1:${port}/client/v4`,
    fail: (id: string) => {
      broken = id;
      calls.length = 0;
    },
    queried: () => [...new Set(calls.flatMap((call) => /\/d1\/database\/([^/]+)/.exec(call)?.[1] ?? []))],
    stop: () => server.close(),
  };
}

/** Runs `npm run …` in a copy of the project. */
export function runNpm(
  root: string,
  api: CloudflareApi,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const all = {
    ...process.env,
    ...QUIET_WRANGLER,
    WRANGLER_LOG: "log",
    CLOUDFLARE_API_BASE_URL: api.url,
    CLOUDFLARE_API_TOKEN: "a-token",
    CLOUDFLARE_ACCOUNT_ID: "account",
    ...env,
  };
  return new Promise((ended) => {
    execFile("npm", ["run", ...args], { cwd: root, env: all }, (error, stdout, stderr) => {
      ended({ code: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr });
    });
  });
}
