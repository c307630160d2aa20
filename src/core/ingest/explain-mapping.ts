/**
 * Tells people how a stored message came to its name, its account and its time. It claims only what is certain: why a
 * user belonged to an account is decided in the database and not kept, so of that it says what must have been.
 */
import { ERASED_NAME } from "../erased-name.ts";
import { inUnits } from "./elapsed-time.ts";
import type { Mapping } from "./mapping.ts";
import type { MessageType, Source } from "./message.ts";

/** A stored message, as far as its explanation needs it. */
export interface MappedArrival {
  readonly type: MessageType;
  readonly source: Source;
  readonly event: string | null;
  /** `externalId` is `null` once its user was erased. */
  readonly account: { readonly externalId: string | null; readonly kind: "company" | "solo" } | null;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
  readonly receivedAt: number;
  /** `null`: not known. */
  readonly mapping: Mapping | null;
}

/** Sentences for people. They hold names as senders gave them: show them as text, never as markup. */
export interface MappingExplanation {
  /** `null` where the message has no event. */
  readonly name: string | null;
  readonly account: string;
  readonly time: string;
}

export const explainMapping = (message: MappedArrival): MappingExplanation => ({
  name: explainName(message),
  account: explainAccount(message),
  time: explainTime(message),
});

function explainName({ source, event, mapping }: MappedArrival): string | null {
  if (event === null) return null;
  if (mapping?.sentName !== undefined) return `“${mapping.sentName}” as ${event}`;
  // A native capture is taken with a name of the stored form only.
  return mapping === null && source === "cdp"
    ? `${event}: the name that was sent was not kept`
    : `${event}, as it was sent`;
}

function explainAccount({ type, source, account, mapping }: MappedArrival): string {
  // Only an identify can do without, and only while its user has none.
  if (account === null) return "none: its user had no account when it came";
  const name = account.externalId ?? ERASED_NAME;
  if (account.kind === "solo") return `${name}: the account of one of a user that belonged to none`;
  const field = mapping?.accountField ?? (source === "native" ? "accountId" : undefined);
  if (field !== undefined) return `${name}: named by ${field}`;
  if (type === "group") return `${name}: named by the message`;
  const ofUser = "its user's account when it came, by an earlier message";
  return mapping === null ? `${name}: named by the message, or ${ofUser}` : `${name}: ${ofUser}`;
}

function explainTime({ occurredAt, receivedAt, mapping }: MappedArrival): string {
  const distance = fromReceipt(occurredAt - receivedAt);
  if (mapping === null) return `${distance}; what it was read from was not kept`;
  const { timeField, clockSlowMs, replaced } = mapping;
  if (timeField === undefined) return "the time of receipt, as no time was sent that counts";
  const clock = clockSlowMs === undefined ? null : wrongClock(clockSlowMs);
  if (replaced === undefined) {
    return `${distance}, by its ${timeField}${clock === null ? "" : ` on ${clock}, corrected`}`;
  }
  const impossible = replaced === "future" ? "in the future" : "before the year 0";
  return `the time of receipt, as its ${timeField} was ${impossible}${clock === null ? "" : ` once ${clock} was corrected`}`;
}

/** As far as `sentAt` tells: a request that was long under way looks like a slow clock. */
const wrongClock = (slowMs: number): string =>
  `a clock that sentAt shows ${inUnits(Math.abs(slowMs))} ${slowMs < 0 ? "fast" : "slow"}`;

function fromReceipt(ms: number): string {
  if (ms === 0) return "at receipt";
  return `${inUnits(Math.abs(ms))} ${ms < 0 ? "before" : "after"} receipt`;
}
