/** Workspaces, their keys and agreements, as the administration sees them: docs/wire/admin.md §9. */
import * as z from "zod";

import { SCOPES } from "../../core/api-key.ts";
import { iso, isoDate, isoOrNull } from "../../services/present/iso.ts";
import { name, writeLimit } from "../schemas/admin-requests.ts";
import type { RecordedAgreement } from "../../db/identity/agreement.ts";
import type { Move } from "../../db/moves/move-records.ts";
import type { KeySummary, NewKey } from "../../db/workspaces/api-keys.ts";
import type { GeneratedKey } from "../../services/workspaces/key-changes.ts";
import { importOf, type RunningImport } from "../../services/workspaces/imports.ts";
import type { WorkspaceDetails } from "../../services/workspaces/workspace-changes.ts";
import { response, type ResponseBody } from "../named-schemas.ts";
import { count, date, moment, nextCursor, ok, text } from "./fields.ts";

const scopes = z.array(z.enum(SCOPES)).min(1);
const id = z.string().regex(/^ws_[0-9a-f]{24}$/);
const key = z
  .string()
  .regex(/^bik_[0-9A-Za-z]{30}$/)
  .describe("The key. It is shown only once.");
const keySettings = z.strictObject({
  name: name.nullable(),
  scopes,
  expiresAt: moment.nullable(),
  origins: z.array(text).nullable().describe("The pages that may use a browser key; `null` for any other key."),
  writeLimit: writeLimit.nullable().describe("The key's own limit; `null` for the default of its kind."),
  signed: z.boolean().describe("Whether each request needs a signature."),
  segmentBatches: z.boolean(),
});
const storedKey = keySettings.extend({
  id: text,
  lastFour: z.string().length(4),
  key: text.optional().describe("The text of a browser key."),
  createdAt: moment,
  revokedAt: moment.nullable(),
  lastUsedOn: date.nullable().describe("The last day (UTC) on which somebody used the key."),
});
const database = text.describe("The binding of a database: `DB`, `DB_1`, ….");
const dpa = z.strictObject({ version: text, acceptedBy: text, acceptedAt: moment });

const move = z
  .strictObject({
    from: database,
    to: database,
    state: z
      .enum(["copying", "final", "erasing", "cancelling", "failed"])
      .describe(
        "`copying` while the workspace is used at the source, `final` while writes are refused for a moment, `erasing` while it is used at the target and erased at the source, `cancelling` while the copy is erased. `failed`: cancel the move.",
      ),
    rowsCopied: count,
    rowsTotal: count.describe("Rows to copy when the move started."),
    startedAt: moment,
    backup: text.optional().describe("The backup that is restored. A move has none."),
    fault: text.optional().describe("Why the last attempt failed."),
  })
  .nullable()
  .describe("The running move to another database.");

export const runningImport = z.strictObject({
  writeLimit: writeLimit.describe("Messages accepted per 10 s in place of the workspace's own limit."),
  startedAt: moment,
  expiresAt: moment.describe("When it ends at the latest."),
});

const workspace = response(
  "Workspace",
  z.strictObject({
    id,
    name,
    writeLimit: writeLimit.describe("Messages accepted per 10 s."),
    createdAt: moment,
    database,
    storageLimitBytes: count.min(1).nullable().describe("Maximum bytes of messages that are not archived."),
    rates: z.record(z.string(), z.number()).nullable().describe("The value of a unit of each currency."),
    currency: text.nullable().describe("The currency whose rate is 1."),
    timezone: text.describe("The time zone of digests."),
    move,
    import: runningImport.nullable().describe("The running import. Until it ends, accounts aren't scored."),
    keys: z.array(storedKey),
    dpa: dpa.nullable().describe("The current acceptance of the data processing agreement."),
    dpaHistory: z
      .array(dpa.extend({ withdrawnAt: moment.nullable() }))
      .max(200)
      .describe("All acceptances, newest first."),
    lastRecomputeAt: moment.nullable(),
    counters: z
      .strictObject({ stored: count, rejected: count, admitted: count, refused: count })
      .describe("Numbers of messages. They may lag."),
  }),
);

export const oneWorkspace = response("WorkspaceResponse", z.strictObject({ ok, workspace }));
export const workspaces = response(
  "WorkspacesResponse",
  z.strictObject({ ok, workspaces: z.array(workspace), nextCursor }),
);

export const createdWorkspace = response(
  "NewWorkspaceResponse",
  z.strictObject({
    ok,
    workspace: workspace.pick({ id: true, name: true, writeLimit: true, createdAt: true }),
    key: z.strictObject({ id: text, key, scopes }),
  }),
);
export const createdKey = response(
  "NewKeyResponse",
  z.strictObject({
    ok,
    key: keySettings.extend({
      id: text,
      key,
      signingSecret: z
        .string()
        .regex(/^whsec_[0-9A-Za-z+/]{43}=$/)
        .optional()
        .describe("Signs requests: docs/wire/signatures.md §20. It is shown only once."),
    }),
  }),
);
export const changedKey = response("KeyResponse", z.strictObject({ ok, key: storedKey }));
export const agreement = response("AgreementResponse", z.strictObject({ ok, dpa: dpa.nullable() }));

/** Presents a workspace without secrets and without its internal number. */
export function presentWorkspace({
  keys,
  agreements,
  stored,
  rejected,
  usage: { admitted, refused },
  ...rest
}: WorkspaceDetails): ResponseBody<typeof workspace> {
  const running = importOf(rest);
  const current = agreements.find(({ withdrawnAt }) => withdrawnAt === null);
  return {
    id: rest.id,
    name: rest.name,
    writeLimit: rest.writeLimit,
    createdAt: iso(rest.createdAt),
    database: rest.database,
    storageLimitBytes: rest.storageLimitBytes,
    rates: rest.rates,
    currency: rest.currency,
    timezone: rest.timezone,
    move: rest.move && presentMove(rest.move),
    import: running && presentImport(running),
    keys: keys.map(presentKey),
    dpa: current === undefined ? null : presentAgreement(current),
    dpaHistory: agreements.map((one) => ({ ...presentAgreement(one), withdrawnAt: isoOrNull(one.withdrawnAt) })),
    lastRecomputeAt: isoOrNull(rest.lastRecomputeAt),
    counters: { stored, rejected: rejected ?? 0, admitted, refused },
  };
}

const presentSettings = (stored: Omit<NewKey, "hash">): ResponseBody<typeof keySettings> => ({
  name: stored.name,
  scopes: stored.scopes ?? SCOPES,
  expiresAt: isoOrNull(stored.expiresAt),
  origins: stored.origins,
  writeLimit: stored.writeLimit,
  signed: stored.sealed !== null,
  segmentBatches: stored.segmentBatches,
});

export const presentKey = (stored: KeySummary): ResponseBody<typeof storedKey> => ({
  ...presentSettings(stored),
  id: stored.id,
  lastFour: stored.lastFour,
  ...(stored.text !== null && { key: stored.text }),
  createdAt: iso(stored.createdAt),
  revokedAt: isoOrNull(stored.revokedAt),
  lastUsedOn: stored.lastUsedDay === null ? null : isoDate(stored.lastUsedDay),
});

export const presentCreatedKey = ({ key: made, signingSecret, record }: GeneratedKey) => ({
  ...presentSettings(record),
  id: record.id,
  key: made,
  ...(signingSecret !== null && { signingSecret }),
});

export const presentImport = ({ writeLimit: limit, startedAt, expiresAt }: RunningImport) => ({
  writeLimit: limit,
  startedAt: iso(startedAt),
  expiresAt: iso(expiresAt),
});

const presentMove = ({ from, to, state, rowsCopied, rowsTotal, startedAt, backup, fault }: Move) => ({
  from,
  to,
  state,
  rowsCopied,
  rowsTotal,
  startedAt: iso(startedAt),
  ...(backup !== null && { backup }),
  ...(fault !== null && { fault }),
});

const presentAgreement = ({ withdrawnAt: _withdrawnAt, acceptedAt, ...rest }: RecordedAgreement) => ({
  ...rest,
  acceptedAt: iso(acceptedAt),
});
