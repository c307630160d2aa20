/** What "this account", "they" and "it" stand for: looked up by the ids that came beside the question. */
import type { Hints } from "../../core/ask/model.ts";
import { mapEventName } from "../../core/ingest/event-name.ts";
import type { Batch } from "../client/batch.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { ENTITY_COLUMNS, entityIn, feature, numberOrNull } from "./entity-rows.ts";

/** External or internal ids, and an event name; `null` for none. */
export interface GivenHints {
  account: string | null;
  user: string | null;
  feature: string | null;
}

export interface KnownHints {
  hints: Hints;
  /** The first that names nothing. */
  unknown: keyof GivenHints | null;
}

/** Something of this form that a sender chose must not hide what has it for its own. */
const INTERNAL_ACCOUNT = /^acc_[0-9a-f]{24}$/;
const INTERNAL_USER = /^usr_[0-9a-f]{24}$/;

/** ?2 the id, ?3 the same where it has the form of an internal one. */
const ACCOUNT = `
SELECT ${ENTITY_COLUMNS.account("a")} FROM accounts a
WHERE a.number = coalesce(
  (SELECT number FROM accounts WHERE id = ?3 AND workspace = ?1 AND ${isNotErased("external_id")}),
  (SELECT number FROM accounts WHERE workspace = ?1 AND kind = 'company' AND external_id = ?2),
  (SELECT number FROM accounts WHERE workspace = ?1 AND kind = 'solo' AND external_id = ?2))`;

const USER = `
SELECT ${ENTITY_COLUMNS.user("u")} FROM users u
WHERE u.number = coalesce(
  (SELECT number FROM users WHERE id = ?3 AND workspace = ?1 AND ${isNotErased("external_id")}),
  (SELECT number FROM users WHERE workspace = ?1 AND external_id = ?2))`;

/** ?2 the name as it was given, ?3 as senders' names are stored. */
const FEATURE = `
SELECT e.number, e.name FROM json_each(json_array(?2, ?3)) s
CROSS JOIN event_names e ON e.workspace = ?1 AND e.name = s.value
LIMIT 1`;

/** @returns needs the event names that only the tail knows */
export function selectHints(batch: Batch, given: GivenHints): (unfolded: ReadonlySet<string>) => KnownHints {
  const { account, user } = given;
  const accounts =
    account === null ? null : batch.add(ACCOUNT, account, INTERNAL_ACCOUNT.test(account) ? account : null);
  const users = user === null ? null : batch.add(USER, user, INTERNAL_USER.test(user) ? user : null);
  const mapped = given.feature === null ? null : mapEventName(given.feature);
  const features = given.feature === null ? null : batch.add(FEATURE, given.feature, mapped);
  return (unfolded) => {
    const [foundAccount] = accounts?.() ?? [];
    const [foundUser] = users?.() ?? [];
    const [stored] = features?.() ?? [];
    const name = stored === undefined ? mapped : String(stored["name"]);
    const isFeature = name !== null && (stored !== undefined || unfolded.has(name));
    const unknown = [
      account !== null && foundAccount === undefined ? "account" : null,
      user !== null && foundUser === undefined ? "user" : null,
      given.feature !== null && !isFeature ? "feature" : null,
    ] as const;
    return {
      hints: {
        ...(foundAccount && { account: entityIn(foundAccount) }),
        ...(foundUser && { user: entityIn(foundUser) }),
        ...(isFeature && { feature: feature(name, numberOrNull(stored?.["number"]) ?? 0) }),
      },
      unknown: unknown.find((hint) => hint !== null) ?? null,
    };
  };
}
