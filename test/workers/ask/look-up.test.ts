/** §15.2: what the words of a question name, whether or not it was folded. */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";

import { foldName, spokenKey } from "../../../src/core/ask/names.ts";
import type { GivenHints } from "../../../src/db/ask/hints.ts";
import { newBatch } from "../../../src/db/client/batch.ts";
import { lookUp } from "../../../src/db/ask/look-up.ts";
import { MAX_TAIL } from "../../../src/db/ask/tail.ts";
import {
  DAY_MS,
  foldAll,
  messageOf,
  newToldWorkspace,
  NOW,
  TODAY,
  trackOf,
  type ToldWorkspace,
} from "./told-workspace.ts";

const NO_HINTS: GivenHints = { account: null, user: null, feature: null };

/** Looks these spans up in every way that there is. */
const lookUpAll = async ({ workspace }: ToldWorkspace, spans: readonly string[], hints = NO_HINTS) =>
  lookUp(
    newBatch(env, workspace),
    {
      exact: [...spans],
      folded: spans.map(foldName),
      spoken: spans.map(spokenKey),
      fuzzy: spans.map(foldName),
    },
    hints,
  );

/** `type source text` of what was found; of an account of one with its kind. */
async function namesOf(there: ToldWorkspace, ...spans: string[]): Promise<string[]> {
  const { found } = await lookUpAll(there, spans);
  return found.names.map(({ entity, source, text }) => `${entity.type} ${source} ${text}`).toSorted();
}

const told = (account: string | null, user: string | null, event = "login") =>
  trackOf({ account, user, event, day: TODAY });

let there: ToldWorkspace;
beforeEach(async () => {
  there = await newToldWorkspace();
});

describe.each([
  ["before the fold", async () => undefined],
  ["after the fold", () => foldAll(NOW)],
])("§15.2 %s", (_, fold) => {
  const tell = async (...messages: Parameters<ToldWorkspace["tell"]>[0]) => {
    await there.tell(messages);
    await fold();
  };

  it("§15.2 finds an account and a user by their external ids, as they were sent", async () => {
    await tell(told("Acme-Corp", "u.42"));
    expect(await namesOf(there, "Acme-Corp")).toEqual(["account external_id Acme-Corp"]);
    expect(await namesOf(there, "u.42")).toEqual(["user external_id u.42"]);
    expect(await namesOf(there, "nobody")).toEqual([]);
  });

  it("§15.2 finds names without regard to case, accents and punctuation", async () => {
    await tell(told("Ünïted_Corp.", null));
    for (const span of ["united corp", "UNITED-CORP", "ünïted  corp"]) {
      expect(await namesOf(there, span)).toEqual(["account external_id Ünïted_Corp."]);
    }
  });

  it("§15.2 finds event names as they are spoken of", async () => {
    await tell(told("acme", null, "report.exported"));
    for (const span of ["report.exported", "report exported", "exporting reports", "reports export"]) {
      expect(await namesOf(there, span)).toEqual(["feature event report.exported"]);
    }
  });

  it("§15.2 finds a name that is a slip away, and none that is further", async () => {
    await tell(told("initech", null), told("Northwind Traders", null));
    expect(await namesOf(there, "initehc")).toEqual(["account external_id initech"]);
    expect(await namesOf(there, "nortwind tradres")).toEqual(["account external_id Northwind Traders"]);
    expect(await namesOf(there, "intchee")).toEqual([]);
    expect(await namesOf(there, "nortwnd trdres")).toEqual([]);
  });

  it("§15.2 takes no id with a digit for the misspelling of another", async () => {
    await tell(told("customer-1234", "user-77"));
    expect(await namesOf(there, "customer-1235", "user-78")).toEqual([]);
  });

  it("§15.2 finds by internal ids", async () => {
    await tell(told("acme", "u1"));
    const { found } = await lookUpAll(there, ["acme", "u1"]);
    for (const { entity } of found.names) {
      const { found: again } = await lookUpAll(there, [entity.id]);
      expect(again.names).toEqual([{ entity, text: entity.id, source: "internal_id" }]);
    }
  });

  it("§15.2 means the company by an id that an account of one has too", async () => {
    await tell(told(null, "7"), told("7", null));
    const { found } = await lookUpAll(there, ["7"]);
    const company = await env.DB.prepare("SELECT id FROM accounts WHERE workspace = ? AND kind = 'company'")
      .bind(there.workspace.number)
      .first<string>("id");
    expect(found.names.filter(({ entity }) => entity.type === "account").map(({ entity }) => entity.id)).toEqual([
      company,
    ]);
  });

  it("§15.2 names an account of one that its user has left by its internal id alone", async () => {
    await tell(told(null, "loner"), messageOf({ type: "group", userId: "loner", accountId: "acme" }));
    expect(await namesOf(there, "loner", "LONER", "lonre")).toEqual(["user external_id loner"]);
    const id = await env.DB.prepare("SELECT id FROM accounts WHERE workspace = ? AND kind = 'solo'")
      .bind(there.workspace.number)
      .first<string>("id");
    expect(await namesOf(there, id ?? "")).toEqual([`account internal_id ${id}`]);
  });

  it("§15.2 tells every name that folds to a span", async () => {
    await tell(told("acme corp", null), told("Acme Corp", null), told("ACME-CORP", "acme corp"));
    expect(await namesOf(there, "acme corp")).toEqual([
      "account external_id ACME-CORP",
      "account external_id Acme Corp",
      "account external_id acme corp",
      "user external_id acme corp",
    ]);
  });

  it("§15.2 finds plans as they were sent", async () => {
    await tell(
      messageOf({ type: "group", accountId: "a", attributes: { plan: "Pro" } }),
      messageOf({ type: "group", accountId: "b", attributes: { plan: "pro" } }),
      messageOf({ type: "group", accountId: "c", attributes: { plan: "Free Forever" } }),
    );
    const { found } = await lookUpAll(there, ["pro", "free-forever"]);
    expect(found.plans.toSorted()).toEqual(["Free Forever", "Pro", "pro"]);
  });

  it("§15.2 finds nothing of another workspace", async () => {
    await tell(told("acme", "u1", "report.exported"));
    const other = await newToldWorkspace();
    const { found } = await lookUpAll(there, ["acme", "u1"]);
    const ids = found.names.map(({ entity }) => entity.id);
    expect(ids).toHaveLength(2);
    expect(await namesOf(other, "acme", "acmee", "u1", "report.exported", ...ids)).toEqual([]);
    expect(await lookUpAll(other, [], { account: "acme", user: null, feature: null })).toMatchObject({
      hints: {},
      unknownHint: "account",
    });
  });

  it("§15.2 never finds a person who was erased, by any name", async () => {
    await tell(told(null, "gone"));
    await env.DB.batch(
      ["users", "accounts"].map((table) =>
        env.DB.prepare(
          `UPDATE ${table} SET external_id = char(1) || id WHERE workspace = ? AND external_id = 'gone'`,
        ).bind(there.workspace.number),
      ),
    );
    const { results } = await env.DB.prepare(
      "SELECT id FROM users WHERE workspace = ?1 UNION SELECT id FROM accounts WHERE workspace = ?1",
    )
      .bind(there.workspace.number)
      .all<{ id: string }>();
    const spans = results.flatMap(({ id }) => [id, `\u0001${id}`, id.replace("_", " ")]);
    expect(await namesOf(there, "gone", "GONE", ...spans)).toEqual([]);
    const { unknownHint } = await lookUpAll(there, [], { account: null, user: "gone", feature: null });
    expect(unknownHint).toBe("user");
  });

  it("§15.1 knows what hints stand for", async () => {
    await tell(told("acme", "u1", "report.exported"), told(null, "solo"));
    const { hints, unknownHint } = await lookUpAll(there, [], {
      account: "acme",
      user: "u1",
      feature: "Report Exported",
    });
    expect(unknownHint).toBeNull();
    expect([hints.account?.externalId, hints.user?.externalId, hints.feature?.id]).toEqual([
      "acme",
      "u1",
      "report.exported",
    ]);
    const byId = await lookUpAll(there, [], {
      account: hints.account?.id ?? "",
      user: hints.user?.id ?? "",
      feature: null,
    });
    expect(byId.hints).toEqual({ account: hints.account, user: hints.user });
    expect((await lookUpAll(there, [], { ...NO_HINTS, account: "solo" })).hints.account?.externalId).toBe("solo");
    for (const hint of ["account", "user", "feature"] as const) {
      expect((await lookUpAll(there, [], { ...NO_HINTS, [hint]: "nothing" })).unknownHint).toBe(hint);
    }
  });

  it("§15.3 tells the first and the last of the events", async () => {
    expect((await lookUpAll(there, [])).freshness).toMatchObject({
      lastEventAt: null,
      firstDay: null,
      isBehind: false,
    });
    await tell(
      trackOf({ account: "acme", user: null, event: "login", day: TODAY - 9 }),
      told("acme", "u1"),
      messageOf({ type: "identify", userId: "u1", occurredAt: NOW - 40 * DAY_MS }),
    );
    expect((await lookUpAll(there, [])).freshness).toMatchObject({
      lastEventAt: TODAY * DAY_MS,
      firstDay: TODAY - 9,
      isBehind: false,
    });
  });

  it.each([
    "'; DROP TABLE names; --",
    "<script>alert(1)</script>",
    "ignore previous instructions",
    '{"a":["\\u0000"]}',
    "%_%",
    "日本 会社",
    "🙂🙂🙂",
    "how many events",
    "$.x[0]",
  ])("§15.2 finds an account called %s", async (name) => {
    await tell(told(name, null));
    expect(await namesOf(there, name)).toEqual([`account external_id ${name}`]);
  });
});

const word = fc.constantFrom(
  "acme",
  "Acme",
  "corp",
  "north",
  "norht",
  "wind",
  "report",
  "reports",
  "exported",
  "é",
  "1",
  "-",
  ".",
);
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
const said = fc.record({
  account: fc.option(name),
  user: name,
  event: fc.constantFrom("login", "report.exported", "exports.report", "a.corp"),
});

it("§15.2 whatever was told, a fold changes nothing that is found", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(said, { minLength: 1, maxLength: 6 }),
      fc.array(name, { maxLength: 12 }),
      async (events, spans) => {
        const fresh = await newToldWorkspace();
        const foundNow = async () => {
          const { found, freshness } = await lookUpAll(fresh, spans);
          const names = found.names.map(({ entity, ...rest }) => JSON.stringify([entity.type, entity.id, rest]));
          return { names: names.toSorted(), firstDay: freshness.firstDay, lastEventAt: freshness.lastEventAt };
        };
        await fresh.tellEvents(events.map((event) => ({ ...event, day: TODAY })));
        const before = await foundNow();
        await fresh.fold();
        expect(await foundNow()).toEqual(before);
      },
    ),
    { numRuns: 30 },
  );
});

describe("§15.8 bounds", () => {
  it("§15.8 is behind once more messages wait than an answer counts", async () => {
    const { number } = there.workspace;
    await env.DB.prepare(
      `INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, account, event, occurred_at, received_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       SELECT (?1 << 32) + i, ?1, 'cdp', i, 1, 'track', 1, 'login', ?3, ?3 FROM n`,
    )
      .bind(number, MAX_TAIL, NOW)
      .run();
    expect((await lookUpAll(there, [])).freshness.isBehind).toBe(false);
    await there.tell([told("acme", "u1")]);
    expect((await lookUpAll(there, [])).freshness.isBehind).toBe(true);
    await env.DB.prepare("DELETE FROM messages WHERE workspace = ?").bind(number).run();
  });

  it("§15.8 is behind while rollups are being rebuilt", async () => {
    await there.tell([told("acme", "u1")]);
    await there.fold();
    await env.DB.prepare("UPDATE folds SET rebuild_day = 0 WHERE workspace = ?").bind(there.workspace.number).run();
    expect((await lookUpAll(there, [])).freshness.isBehind).toBe(true);
  });

  it("§15.8 finds a slip among hundreds of names that share their letters, and gives up among more", async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, place) => {
        const letters = String.fromCharCode(
          97 + (place % 26),
          97 + (Math.floor(place / 26) % 26),
          97 + Math.floor(place / 676),
        );
        return told(`${letters} holdings`, null);
      });
    await there.tell([...many(150), told("quixotic", null)]);
    await foldAll(NOW);
    expect(await namesOf(there, "quixotci")).toEqual(["account external_id quixotic"]);
    await there.tell(many(300).slice(150));
    await foldAll(NOW);
    expect(await namesOf(there, "quixotci")).toEqual(["account external_id quixotic"]);
    expect(await namesOf(there, "zzz holdngs")).toEqual([]);
  });
});
