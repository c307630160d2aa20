/**
 * `npm run demo`: fills the demo workspace of the running service, and prints where to look.
 *
 * Sends 90 days of sixty accounts as a sender would. It can run again: on the same day it stores nothing new, on later
 * days it adds the days since, and it keeps what people have changed. Any failure is printed in one line, with exit
 * code 1. Ctrl-C ends it with 130, after it has cleaned up.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { HISTORY_DAYS } from "../evals/demo-world/cast.ts";
import { COMPANIES } from "../evals/demo-world/companies.ts";
import { messagesOf } from "../evals/demo-world/messages.ts";
import { fullNameOf } from "../evals/demo-world/people.ts";
import { happeningsOf, storiesFrom, type Story } from "../evals/demo-world/story.ts";
import { START_DAY } from "../evals/simulator/calendar.ts";
import { DAY_MS } from "../src/core/durations.ts";
import { capturesOf, identitiesOf, marksOf, mistakes } from "./demo/extras.ts";
import { attach, capture, mark, recomputeAll, sendMessages } from "./demo/fill.ts";
import { assertWorthShowing, readResults } from "./demo/read-results.ts";
import { connect, DemoFailure, explain, type Service } from "./demo/service.ts";
import { count, summary } from "./demo/summary.ts";
import {
  acceptAgreement,
  createReadKey,
  findOrCreateWorkspace,
  recompute,
  requestRebuild,
  revokeKeys,
  whileSending,
} from "./demo/workspace.ts";
import { adminToken, devVarsPath } from "./start/secrets.ts";
import { consoleLink } from "./start/console-link.ts";
import { baseUrl, readSettings, type Settings, StartFailure } from "./start/settings.ts";

/** The users of accounts with these fates get names. */
const NAMED_FATES = new Set(["champion_left", "sudden_drop", "ready_trial"]);

/** The exit code of a shell after Ctrl-C. */
const CANCELED_EXIT_CODE = 130;

const USAGE = "[PORT=8787] npm run demo, while npm start runs with the same PORT in another terminal";

const canceling = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => canceling.abort());

let address = "";
try {
  if (process.argv.some((each) => each === "--help" || each === "-h")) console.log(`Use: ${USAGE}`);
  else await run();
} catch (error) {
  const isCanceled = error instanceof Error && error.name === "AbortError";
  const explained = error instanceof StartFailure ? error.message : explain(error, address);
  console.error("npm run demo:", isCanceled ? "canceled." : explained);
  process.exitCode = canceling.signal.aborted ? CANCELED_EXIT_CODE : 1;
}

async function run(): Promise<void> {
  const settings = readSettings(fileURLToPath(new URL("..", import.meta.url)), process.env);
  address = baseUrl(settings);
  await demo({ url: address, token: knownToken(settings), stop: canceling.signal });
}

async function demo(service: Service): Promise<void> {
  const { url, token, stop } = service;
  const admin = connect(url, token, stop);
  const now = Date.now();
  const date = new Date(now).toISOString().slice(0, 10);
  const workspace = await findOrCreateWorkspace(admin);
  const { key } = await createReadKey(admin, workspace, date);

  const from = workspace.firstRunOn ?? date;
  const [first, today] = [dayOf(from), dayOf(date)];
  const stories = storiesFrom(first);
  const messages = messagesOf(stories, happeningsOf(stories, first, today), today);
  const start = new Date(Date.parse(from) - HISTORY_DAYS * DAY_MS).toISOString().slice(0, 10);
  console.log(`Sending ${count(messages.length)} messages of 60 accounts, dated from ${start} to yesterday…`);

  const sent = await whileSending(service, workspace, async (senderKey) => {
    const sender = connect(url, senderKey, stop);
    const story = await sendMessages(sender, messages, (done) =>
      console.log(`  ${count(done)} of ${count(messages.length)} sent`),
    );
    // Rejected messages aren't deduplicated: send them only when there is something new.
    const faulty = story.stored === 0 ? [] : mistakes(date);
    const faults = await sendMessages(sender, faulty);
    const captured = await capture(sender, capturesOf(stories, date, now));
    if (captured + faulty.length > 0) {
      console.log(
        `Sent ${captured} new captures of today and ${faulty.length} messages with mistakes, which show what is rejected or redacted.`,
      );
    }
    console.log("Recomputing health and inbox…");
    if (story.stored > 0) await requestRebuild(admin, workspace);
    if (!(await recomputeAll(() => recompute(admin), stop))) throw new DemoFailure("The recompute did not finish.");
    if (!workspace.isFilled) {
      // Takes a moment and must not be canceled: a half-done setup would not be completed later.
      const [unstopped, administrator] = [connect(url, senderKey), connect(url, token)];
      await mark(unstopped, marksOf(now));
      const { agreement } = workspace;
      if (agreement === "never accepted") await acceptAgreement(administrator, workspace);
      if (agreement !== "withdrawn") await attach(unstopped, identitiesOf(COMPANIES, usersOf(stories)));
    }
    return {
      stored: story.stored + faults.stored + captured,
      duplicates: story.duplicates + faults.duplicates,
      rejected: story.rejected + faults.rejected,
    };
  });

  const results = await readResults(connect(url, key, stop));
  await revokeKeys(admin, workspace.id, workspace.readKeys);
  const link = consoleLink(url, token, `/console/w/${workspace.id}/inbox`);
  console.log(summary({ url, key, sent, results, link }));
  assertWorthShowing(results);
}

/** Returns the users who get names. */
function usersOf(stories: readonly Story[]): { id: string; name: string }[] {
  return stories
    .filter(({ company }) => NAMED_FATES.has(company.fate))
    .flatMap(({ plan }) => plan.users.map(({ id }) => ({ id, name: fullNameOf(id) })));
}

/** Returns the number of a UTC day in the calendar of the simulation. */
function dayOf(date: string): number {
  return Date.parse(date) / DAY_MS - START_DAY;
}

/** Returns the token of the running service. Never creates one: the service wouldn't know it. */
function knownToken(settings: Settings): string {
  if (settings.adminToken === null && !existsSync(devVarsPath(settings))) {
    throw new DemoFailure("There is no admin token yet. Run npm start in another terminal first.");
  }
  return adminToken(settings).value;
}
