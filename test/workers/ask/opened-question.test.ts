/** Questions in a workspace that their own first look-up opens: the console's way, where nobody knows its number yet. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { answerQuestion, type AskedQuestion, openForQuestion } from "../../../src/services/ask/answer-question.ts";
import { markErased } from "../../../src/db/workspaces/erase-workspace.ts";
import { findOpened, type Opener, openingBatch } from "../../../src/db/workspaces/open-workspace-sql.ts";
import { admin } from "../support/workspace.ts";
import { messagesOf, RICH_STORY } from "./story.ts";
import { asTyped, questionsAbout, type StoryQuestion } from "./story-questions.ts";
import { inWorkspace, PLAIN_NAMES, recomputeFor, type StoryWorkspace } from "./told-story.ts";
import { newToldWorkspace, NOW, TODAY, trackOf, type ToldWorkspace } from "./told-workspace.ts";

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  return () => vi.restoreAllMocks();
});

const asked = ({ question, accountId, userId, feature }: StoryQuestion): AskedQuestion => ({
  text: question,
  hints: { account: accountId ?? null, user: userId ?? null, feature: feature ?? null },
  now: NOW,
  today: TODAY,
});

const openersOf = ({ id, keyId }: { id: string; keyId: string }): Opener[] => [
  { by: "id", id },
  { by: "key", keyId },
];

/** Every answer by each opener, and as it is where the number is known. */
async function answersIn(own: StoryWorkspace, questions: readonly StoryQuestion[]) {
  const ref = await own.ref();
  const opened: unknown[] = [];
  const known: unknown[] = [];
  for (const question of questions) {
    for (const opener of openersOf(own)) {
      opened.push(await (await openForQuestion(env, opener, asked(question)))?.answer());
      known.push(await answerQuestion(env, ref, asked(question)));
    }
  }
  return { opened, known };
}

it("§15 are answered as in one whose number is known", async () => {
  const { told, judged } = questionsAbout(PLAIN_NAMES, asTyped);
  await inWorkspace(async (own) => {
    await own.tell(messagesOf(RICH_STORY, PLAIN_NAMES));
    const unfolded = await answersIn(own, told);
    await recomputeFor(null);
    const folded = await answersIn(own, [...told, ...judged]);
    for (const { opened, known } of [unfolded, folded]) {
      expect(opened).toEqual(known);
      for (const one of known) expect(one).toMatchObject({ answer: { knows: true } });
    }
  });
});

describe("what opens nothing finds nothing", () => {
  const question = asked({ question: "How many events did acme have today?" });
  const login = trackOf({ account: "acme", user: null, event: "login", day: TODAY });

  let own: ToldWorkspace;
  beforeEach(async () => {
    own = await newToldWorkspace();
    await own.tell([login]);
  });

  it("as long as nothing is wrong, what is there is found", async () => {
    for (const opener of openersOf(own)) {
      const opened = await openForQuestion(env, opener, question);
      expect((await opened?.answer())?.answer).toMatchObject({ knows: true, value: 1 });
    }
  });

  it("§2 a key that was revoked; the workspace stays open to the admin", async () => {
    await own.revoke(own.keyId);
    expect(await openForQuestion(env, { by: "key", keyId: own.keyId }, question)).toBeNull();
    expect(await openForQuestion(env, { by: "id", id: own.id }, question)).toMatchObject({ workspace: { id: own.id } });
  });

  it.each([
    ["was erased", () => admin("DELETE", `/workspaces/${own.id}`)],
    ["is being erased", async () => markErased(env, await own.ref(), NOW)],
  ])("§9 a workspace that %s, or never was", async (_, erase) => {
    await erase();
    for (const opener of [...openersOf(own), ...openersOf({ id: "ws_none", keyId: "key_none" })]) {
      expect(await openForQuestion(env, opener, question), JSON.stringify(opener)).toBeNull();
      expect(await findOpened(env, opener), JSON.stringify(opener)).toBeNull();
    }
  });

  it("§2 nor do the other queries that went along", async () => {
    await own.revoke(own.keyId);
    const { batch } = openingBatch(env, { by: "key", keyId: own.keyId });
    const rows = ["accounts", "messages", "event_names"].map((table) =>
      batch.add(`SELECT * FROM ${table} WHERE workspace = ?1`),
    );
    await batch.run();
    expect(rows.map((read) => read())).toEqual([[], [], []]);
  });

  it("a key of another workspace: it opens its own, by what is known there", async () => {
    const other = await newToldWorkspace();
    const opened = await openForQuestion(env, { by: "key", keyId: other.keyId }, question);
    expect(opened?.workspace.id).toBe(other.id);
    expect((await opened?.answer())?.answer).toMatchObject({ knows: false });
  });

  it("§2 the scopes of a key come with it", async () => {
    const { keyId } = await own.newKey(["read", "ask"]);
    const opened = await openForQuestion(env, { by: "key", keyId }, question);
    expect(opened?.workspace).toMatchObject({ id: own.id, scopes: ["read", "ask"] });
  });
});
