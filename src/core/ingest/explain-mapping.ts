/**
 * Explains to people how a stored message got its name, account and time. The database decides why a user belonged to
 * an account and doesn't store it, so the explanation only says what is certain.
 */
import { ERASED_NAME } from "../erased-name.ts";
import { inFigures } from "../health/texts.ts";
import type { Mapping, MessageType, Source } from "./message.ts";

export interface MappedArrival {
  readonly type: MessageType;
  readonly source: Source;
  readonly event: string | null;
  /** `externalId` is `null` if its user was erased. */
  readonly account: { readonly externalId: string | null; readonly kind: "company" | "solo" } | null;
  readonly occurredAt: number;
  readonly receivedAt: number;
  /** `null` if it was not stored. */
  readonly mapping: Mapping | null;
}

/**
 * Writes sentences for people; `name` is `null` if the message has no event. They quote the sender's names: show them as
 * text, never as markup.
 */
export const explainMapping = (message: MappedArrival) => ({
  name: explainName(message),
  account: explainAccount(message),
  time: explainTime(message),
});

function explainName({ source, event, mapping }: MappedArrival): string | null {
  if (event === null) return null;
  if (mapping?.sentName !== undefined) return `“${mapping.sentName}” as ${event}`;
  // A native capture must use the stored form of the name.
  return mapping === null && source === "cdp" ? `${event} (original name not stored)` : `${event}, as sent`;
}

function explainAccount({ type, source, account, mapping }: MappedArrival): string {
  // Only an identify can have no account, and only if its user has none yet.
  if (account === null) return "none: the user had no account yet";
  const name = account.externalId ?? ERASED_NAME;
  if (account.kind === "solo") return `${name}: personal account of a user without a company`;
  const field = mapping?.accountField ?? (source === "native" ? "accountId" : undefined);
  if (field !== undefined) return `${name}: named by ${field}`;
  if (type === "group") return `${name}: named by the message`;
  const ofUser = "the user's account at that time";
  return mapping === null ? `${name}: named by the message, or ${ofUser}` : `${name}: ${ofUser}`;
}

function explainTime({ occurredAt, receivedAt, mapping }: MappedArrival): string {
  const distance = fromReceipt(occurredAt - receivedAt);
  if (mapping === null) return `${distance} (source not stored)`;
  const { timeField, clockSlowMs, replaced, unsetField } = mapping;
  const unset = unsetField === undefined ? null : `${unsetField} before 2000 counts as absent`;
  if (timeField === undefined) return `time of receipt: ${unset ?? "no valid timestamp sent"}`;
  const clock =
    clockSlowMs === undefined ? null : `${formatDuration(clockSlowMs)} ${clockSlowMs < 0 ? "fast" : "slow"}`;
  if (replaced !== undefined) {
    const impossible = `${timeField} was ${replaced === "future" ? "in the future" : "before 2000"}`;
    return `time of receipt: ${impossible}${clock === null ? "" : ` after correcting a clock ${clock}`}`;
  }
  const correction = clock === null ? "" : `, corrected for a clock ${clock}`;
  return `${distance}, by its ${timeField}${correction}${unset === null ? "" : `; ${unset}`}`;
}

function fromReceipt(ms: number): string {
  return ms === 0 ? "at receipt" : `${formatDuration(ms)} ${ms < 0 ? "before" : "after"} receipt`;
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** Writes a duration, whatever its sign: `2.1 min`, `1 d`, `450 ms`. */
export function formatDuration(durationMs: number): string {
  const [unit, length] = UNITS.find(([, each]) => Math.abs(durationMs) >= each) ?? ["ms", 1];
  return `${inFigures(Math.abs(durationMs) / length)} ${unit}`;
}
