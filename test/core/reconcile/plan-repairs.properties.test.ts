/** What holds for any state after a restore: docs/decisions/0035-restores.md. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  agreementNumber,
  type DirectoryEntry,
  isRepair,
  type KnownWorkspace,
  planRepairs,
} from "../../../src/core/reconcile/plan-repairs.ts";

const databases = fc.constantFrom("DB", "DB_1", "DB_2");
const sides = fc.uniqueArray(
  fc.record({
    database: databases,
    id: fc.constant("ws_1"),
    state: fc.constantFrom("live", "live", "arriving", "moving", "erased"),
    agreement: fc.integer({ min: -2, max: 2 }),
    leasedAt: fc.option(fc.integer({ min: 0, max: 3 })),
  }),
  { selector: ({ database }) => database },
);
const knownWorkspace: fc.Arbitrary<KnownWorkspace> = fc.record({
  claim: fc.option(fc.record({ id: fc.constant("ws_1"), hasMoved: fc.boolean() })),
  isErased: fc.constantFrom(false, false, true),
  withdrawnAt: fc.option(fc.integer({ min: 0, max: 3 })),
  entry: fc.option(
    fc.record({
      id: fc.constant("ws_1"),
      database: databases,
      writeLimit: fc.constantFrom(1, 2),
      importLimit: fc.constantFrom(null, null, 3),
      storageLimitBytes: fc.constantFrom(null, 5),
      isMarked: fc.constantFrom(false, false, false, true),
      keyIds: fc.subarray(["key_1", "key_2"]),
      agreement: fc.option(
        fc.record({
          id: fc.integer({ min: 1, max: 2 }),
          acceptedAt: fc.integer({ min: 0, max: 3 }),
          withdrawnAt: fc.option(fc.integer({ min: 0, max: 3 })),
        }),
      ),
      agreementChanged: fc.boolean(),
      move: fc.option(
        fc.record({
          from: databases,
          to: databases,
          state: fc.constantFrom("copying", "final", "erasing", "cancelling", "failed"),
          backup: fc.constantFrom(null, null, null, "2026-11-20T031500.000Z"),
          copiedAt: fc.option(fc.integer({ min: 0, max: 3 })),
        }),
      ),
    }),
  ),
  sides,
  hasBackup: fc.boolean(),
  limiter: fc.record({
    limit: fc.constantFrom(1, 2),
    importLimit: fc.constantFrom(null, null, 3, 4),
    database: databases,
    room: fc.constantFrom(null, 3),
    isBehind: fc.boolean(),
    revokedKeys: fc.subarray(["key_1", "key_2"]),
  }),
});

const isLive = ({ sides: held }: KnownWorkspace): boolean => held.some(({ state }) => state === "live");

const LIVE = { id: "ws_1", state: "live", agreement: 0, leasedAt: null } as const;
const NEW_ENTRY = {
  id: "ws_1",
  importLimit: null,
  storageLimitBytes: null,
  isMarked: false,
  keyIds: [],
  agreement: null,
  agreementChanged: false,
  move: null,
};

/** Does to what is known what the repairs do. */
function repaired(known: KnownWorkspace): KnownWorkspace {
  const { home, findings } = planRepairs(known);
  const { limiter } = known;
  let { claim, entry: own, sides: held } = known;
  const { limit, importLimit, room } = limiter;
  let [named, limits] = [limiter.database, { limit, importLimit, room }];
  const database = home ?? own?.database ?? held[0]?.database ?? named;
  const change = (more: Partial<DirectoryEntry>) => (own = own && Object.assign({}, own, more));
  for (const finding of findings.filter(isRepair)) {
    if (finding === "claim_missing") claim = { id: "ws_1", hasMoved: false };
    if (finding === "erased_again") [own, held] = [null, []];
    if (finding === "entry_missing") own = { ...NEW_ENTRY, database, writeLimit: limiter.limit };
    if (finding === "database_wrong") named = database;
    if (finding === "database_wrong") change({ database });
    if (finding === "copy_left") held = held.filter((side) => side.database === home);
    if (finding.startsWith("state_"))
      held = [...held.filter((side) => side.database !== database), { ...LIVE, database }];
    if (finding === "move_stale") change({ move: null });
    if (finding === "move_restarted" && own?.move) change({ move: { ...own.move, copiedAt: null } });
    if (finding === "limit_differs") change({ writeLimit: limiter.limit });
    if (finding === "import_differs") limits = { limit, room, importLimit: own?.importLimit ?? null };
    if (finding === "limits_unfinished" && own)
      limits = { limit: own.writeLimit, importLimit: own.importLimit, room: own.storageLimitBytes };
    if (finding === "keys_revoked")
      change({ keyIds: own?.keyIds.filter((id) => !limiter.revokedKeys.includes(id)) ?? [] });
    if (finding === "agreement_withdrawn" && own?.agreement)
      change({ agreement: { ...own.agreement, withdrawnAt: 9 } });
    if (finding.startsWith("agreement_")) {
      const agreement = agreementNumber(own?.agreement ?? null);
      held = held.map((side) => (side.database === home ? { ...side, agreement } : side));
    }
  }
  return { ...known, claim, entry: own, sides: held, limiter: { ...limiter, ...limits, database: named } };
}

describe("any state", () => {
  it("has nothing left to repair after two reconciliations", () => {
    fc.assert(
      fc.property(knownWorkspace, (known) => {
        expect(planRepairs(repaired(repaired(known))).findings.filter(isRepair)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("loses no live workspace that isn't erased", () => {
    fc.assert(
      fc.property(knownWorkspace, (known) => {
        fc.pre(isLive(known) && !planRepairs(known).findings.includes("erased_again"));
        expect(isLive(repaired(known))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("erases no whole copy while the workspace moves", () => {
    fc.assert(
      fc.property(knownWorkspace, (known) => {
        const { findings, home } = planRepairs(known);
        fc.pre(findings.includes("copy_left") && known.entry?.move != null);
        expect(findings).toContain("move_stale");
        const { from, to } = known.entry?.move ?? {};
        const target = known.sides.find(({ database }) => database === to)?.state;
        expect(home === from && (target === "live" || target === "moving")).toBe(false);
      }),
    );
  });
});
