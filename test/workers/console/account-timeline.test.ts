/** §14: what the timeline of an account says about people. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { timelineOf } from "../../../src/console/accounts/account-timeline.ts";
import { readAccount } from "../../../src/db/accounts/account-details.ts";
import { markOwner } from "../../../src/db/accounts/owners.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, type SeededAccount } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let acme: SeededAccount;
let item: { number: number; id: string };
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  acme = await outcomes.account("acme", { firstAt: (DAY - 40) * DAY_MS, lastEventAt: null });
  item = await outcomes.item({ account: acme.number, kind: "gone_silent", openedDay: DAY - 20 });
  return () => vi.useRealTimers();
});

const ago = (days: number) => NOW - days * DAY_MS;

/** The entries of the last days, with how many days ago each was. */
async function entries(): Promise<[daysAgo: number, text: string][]> {
  const options = { now: NOW, withIdentity: false, withUnfolded: false };
  const account = await readAccount(env, await workspace.ref(), acme.id, options);
  if (account === null) throw new Error("the account is gone");
  const today = Math.floor(NOW / DAY_MS);
  return timelineOf(account).flatMap(({ day, text }) => (day > DAY - 20 ? [[today - day, text]] : []));
}

describe("§14 the timeline", () => {
  it("§14 says what people did, who and when, latest first", async () => {
    const ref = await workspace.ref();
    await outcomes.mark(item, { contacted: true }, ago(6), "Ada");
    await outcomes.mark(item, { note: "Back in June" }, ago(5), "administrator");
    await outcomes.mark(item, { note: null }, ago(4), "n".repeat(200));
    await outcomes.mark(item, { snoozedUntil: Date.UTC(2030, 1, 1, 9, 30) }, ago(3), "Bo");
    await outcomes.mark(item, { dismissed: true, reason: "not_a_problem" }, ago(3) + 1, "Bo");
    await outcomes.mark(item, { dismissed: false }, ago(2), "Ada");
    await markOwner(env, ref, acme.id, "Cy", { by: "Ada", at: ago(1) });
    await markOwner(env, ref, acme.id, null, { by: "Ada", at: ago(1) + 1 });
    const title = "“acme has gone silent”";
    expect(await entries()).toEqual([
      [1, "Ada removed the owner."],
      [1, "Ada made Cy the owner."],
      [2, `Ada reopened ${title}.`],
      [3, `Bo dismissed ${title}: not a problem.`],
      [3, `Bo snoozed ${title} until 2030-02-01 09:30 UTC.`],
      [4, `${"n".repeat(80)}… removed the note about ${title}.`],
      [5, `The administrator wrote about ${title}.`],
      [6, `Ada contacted the account about ${title}.`],
    ]);
  });

  it("§14 names the administrator and the key of a session", async () => {
    const ada = await workspace.newKey(["read", "inbox"], "Ada");
    const nameless = await workspace.newKey(["read", "inbox"]);
    const path = `/console/w/${workspace.id}`;
    const change = async (at: number, action: string, fields: Record<string, string>, key?: string) => {
      vi.setSystemTime(at);
      expect((await (await signedIn(key)).post(`${path}/${action}`, fields)).status).toBe(303);
    };
    await change(NOW, `accounts/${acme.id}/owner`, { owner: "Bo" });
    await change(NOW + 1, "inbox/mark", { ids: item.id, mark: "dismiss other" }, ada.key);
    await change(NOW + 2, "inbox/mark", { ids: item.id, mark: "undo dismiss" }, nameless.key);
    await change(NOW + 3, `accounts/${acme.id}/owner`, { owner: "" }, ada.key);
    expect(await entries()).toEqual([
      [0, "Ada removed the owner."],
      [0, `${nameless.keyId} reopened “acme has gone silent”.`],
      [0, "Ada dismissed “acme has gone silent”: other."],
      [0, "The administrator made Bo the owner."],
    ]);
  });

  it("§14 shows the latest 100 activities, each in at most 300 characters", async () => {
    for (let index = 0; index < 101; index += 1) {
      await outcomes.mark(item, { note: `${index} ${"x".repeat(990)}` }, NOW + index);
    }
    const shown = await entries();
    expect(shown).toHaveLength(100);
    // The texts of notes that were replaced are gone.
    expect([shown[0]?.[1], shown[99]?.[1]]).toEqual([
      expect.stringMatching(/: 100 x+…$/),
      expect.stringMatching(/ wrote about “acme has gone silent”\.$/),
    ]);
    for (const [, text] of shown) expect(text.length).toBeLessThanOrEqual(301);
  });

  it("§14 has nothing of other accounts and workspaces", async () => {
    const globex = await outcomes.account("globex");
    await outcomes.mark(await outcomes.item({ account: globex.number }), { contacted: true });
    const others = await outcomesOf(await newWorkspace());
    const other = await others.account("acme");
    await others.mark(await others.item({ account: other.number }), { contacted: true });
    expect(await entries()).toEqual([]);
  });
});
