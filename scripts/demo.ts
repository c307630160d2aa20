/**
 * `npm run demo`: gives the running service a workspace worth looking at, and prints where to look.
 *
 * Sixty accounts of different fates over 90 days, sent as senders do. It can be run again: on the same day nothing new
 * is stored, on later days the story goes on from where it was, and what people changed in between stays theirs.
 * Whatever keeps it from its end is told in a line, with exit code 1; Ctrl-C ends it with 130, its traces put away.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { DAY_MS } from "../src/core/durations.ts";
import { COMPANIES } from "./demo/companies.ts";
import { attach, capture, mark, recomputeAll, sendMessages } from "./demo/fill.ts";
import { assertWorthSeeing, look } from "./demo/look.ts";
import { messagesOf } from "./demo/messages.ts";
import type { Story } from "./demo/model.ts";
import { spelledOut } from "./demo/people.ts";
import { DemoFailure } from "./demo/service.ts";
import { capturesOf, identitiesOf, marksOf, mistakes } from "./demo/sidelines.ts";
import { happeningsOf, storiesFrom } from "./demo/story.ts";
import { count, whereToLook } from "./demo/where-to-look.ts";
import {
  acceptAgreement,
  type Admin,
  findOrMakeWorkspace,
  makeReadingKey,
  recompute,
  requestRebuild,
  revokeKeys,
  whileSending,
} from "./demo/workspace.ts";
import { START_DAY } from "../evals/simulator/calendar.ts";
import { adminToken, devVarsPath } from "./start/admin-token.ts";
import { consoleLink } from "./start/console-link.ts";
import { baseUrl, readSettings, type Settings, StartFailure } from "./start/settings.ts";

/** Whose people are known by name. */
const NAMED_FATES = new Set(["champion_left", "sudden_drop", "ready_trial"]);

/** As a shell gives it after Ctrl-C. */
const STOPPED_EXIT_CODE = 130;

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stopping.abort());

try {
  const settings = readSettings(fileURLToPath(new URL("..", import.meta.url)), process.env);
  await demo({ url: baseUrl(settings), token: knownToken(settings) }, stopping.signal);
} catch (error) {
  const isTold = error instanceof DemoFailure || error instanceof StartFailure;
  const isStopped = error instanceof Error && error.name === "AbortError";
  console.error("npm run demo:", isStopped ? "stopped." : isTold ? error.message : error);
  process.exitCode = stopping.signal.aborted ? STOPPED_EXIT_CODE : 1;
}

async function demo({ url, token }: Admin, stop: AbortSignal): Promise<void> {
  const admin = { url, token, stop };
  const now = Date.now();
  const date = new Date(now).toISOString().slice(0, 10);
  const workspace = await findOrMakeWorkspace(admin);
  const { key } = await makeReadingKey(admin, workspace, date);

  const from = workspace.filledFrom ?? date;
  const [first, today] = [dayOf(from), dayOf(date)];
  const stories = storiesFrom(first);
  const messages = messagesOf(stories, happeningsOf(stories, first, today), today);
  console.log(`Sixty accounts, from 90 days before ${from} until yesterday: ${count(messages.length)} messages…`);

  const filled = await whileSending(admin, workspace, async (senderKey) => {
    const sender = { url, key: senderKey, stop };
    const sent = await sendMessages(sender, messages, (many) =>
      console.log(`  ${count(many)} of ${count(messages.length)} sent`),
    );
    // Rejected messages have no memory: they are sent when there is something new, and not again.
    const faulty = sent.stored === 0 ? [] : mistakes(date);
    const odd = await sendMessages(sender, faulty);
    const captured = await capture(sender, capturesOf(stories, date, now));
    if (captured + faulty.length > 0) {
      console.log(`And of today, ${captured} new captures, and ${faulty.length} messages with mistakes to look at.`);
    }
    console.log("Recomputing what has become of them…");
    if (sent.stored > 0) await requestRebuild(admin, workspace);
    if (!(await recomputeAll(() => recompute(admin), stop))) throw new DemoFailure("The recompute comes to no end.");
    if (!workspace.isFilled) {
      // A moment, and not to be broken off: done by half, it would not be done again.
      await mark({ url, key: senderKey }, marksOf(now));
      const { agreement } = workspace;
      if (agreement === "never accepted") await acceptAgreement({ url, token }, workspace);
      if (agreement !== "withdrawn") await attach({ url, key: senderKey }, identitiesOf(COMPANIES, usersOf(stories)));
    }
    return {
      stored: sent.stored + odd.stored + captured,
      duplicates: sent.duplicates + odd.duplicates,
      rejected: sent.rejected + odd.rejected,
    };
  });

  const seen = await look({ url, key, stop });
  await revokeKeys(admin, workspace.id, workspace.readingKeys);
  const link = consoleLink(url, token, `/console/w/${workspace.id}/inbox`);
  console.log(whereToLook({ url, key, filled, seen, link }));
  assertWorthSeeing(seen);
}

/** Those who get names. */
function usersOf(stories: readonly Story[]): { id: string; name: string }[] {
  return stories
    .filter(({ company }) => NAMED_FATES.has(company.fate))
    .flatMap(({ plan }) => plan.users.map(({ id }) => ({ id, name: spelledOut(id) })));
}

/** Days of the story are whole ones in UTC, as those of health. */
function dayOf(date: string): number {
  return Date.parse(date) / DAY_MS - START_DAY;
}

/** The token of the running service, and never a new one: that would be nobody's. */
function knownToken(settings: Settings): string {
  if (settings.adminToken === null && !existsSync(devVarsPath(settings))) {
    throw new DemoFailure("There is no admin token. Start the service first, in another terminal: npm start");
  }
  return adminToken(settings).value;
}
