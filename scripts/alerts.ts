/**
 * `npm run alerts`: runs the queries of `ops/alerts` on Workers Observability, and prints the alerts that fire. The exit code
 * is 1 when one fires or a query fails. `--env staging` asks about an environment. It needs `CLOUDFLARE_ACCOUNT_ID` and
 * `CLOUDFLARE_API_TOKEN`, a token with the permission Workers Observability.
 */
import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";

import { Alert, bodyOf, type Firing, firings, type Measure, Result } from "../ops/alert.ts";
import { readConfig, runCommand, splitArguments } from "./deployment.ts";
import { isAddress } from "./open-admin.ts";

const FOLDER = new URL("../ops/alerts/", import.meta.url);
const API = process.env["CLOUDFLARE_API_BASE_URL"] ?? "https://api.cloudflare.com/client/v4";
const Envelope = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ message: z.string() })),
  result: z.unknown(),
});

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}. See docs/monitoring.md#alerts.`);
  return value;
}

async function ask(measure: Measure, service: string, now: number): Promise<Result> {
  const account = setting("CLOUDFLARE_ACCOUNT_ID");
  const response = await fetch(`${API}/accounts/${account}/workers/observability/telemetry/query`, {
    method: "POST",
    headers: { Authorization: `Bearer ${setting("CLOUDFLARE_API_TOKEN")}`, "Content-Type": "application/json" },
    body: JSON.stringify(bodyOf(measure, service, now)),
  });
  const { success, errors, result } = Envelope.parse(await response.json());
  if (!success) throw new Error(`${measure.query.queryId}: ${errors.map(({ message }) => message).join(", ")}`);
  return Result.parse(result);
}

const describe = ({ group, value, base }: Firing, hasBase: boolean): string =>
  `  ${group === "" ? "" : `${group}: `}${value}${hasBase ? ` (base ${base})` : ""}`;

await runCommand(async (args) => {
  const { shared, rest } = splitArguments(args);
  if (rest.length > 0) throw new Error("Use: npm run alerts [-- --env staging]");
  if (!isAddress(API)) throw new Error(`CLOUDFLARE_API_BASE_URL ${API} is no address, such as https://….`);
  const { name: service = "" } = readConfig(shared);
  const now = Date.now();
  for (const file of readdirSync(FOLDER).toSorted()) {
    const alert = Alert.parse(JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")));
    const measured = await ask(alert.measured, service, now);
    const base = alert.base && (await ask(alert.base, service, now));
    const fired = firings(alert, measured, base);
    if (fired.length === 0) continue;
    process.exitCode = 1;
    const lines = fired.map((each) => describe(each, base !== undefined));
    console.log([`${alert.name}: ${alert.title}.`, ...lines, `  ${alert.meaning} ${alert.action}`].join("\n"));
  }
  if (process.exitCode === undefined) console.log(`No alert fires for ${service}.`);
});
