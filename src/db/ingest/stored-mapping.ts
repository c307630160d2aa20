/**
 * Packs how a message was mapped: as an array without names, and without default values at its end. Every row has one,
 * and most are `[]` or a few characters.
 */
import { ACCOUNT_FIELDS, type Mapping, type TimeField } from "../../core/ingest/message.ts";

/** 0 means an absent value. */
export type StoredMapping = (string | number)[];

/** By code. The most common one comes first; `null` means that the message had no time. */
const TIME_FIELDS: readonly (TimeField | null)[] = ["timestamp", null, "originalTimestamp"];
const REPLACED = [undefined, "future", "past"] as const;
const UNSET_FIELDS = [undefined, "timestamp", "originalTimestamp"] as const;

/**
 * Packs a mapping as `[account, time, sentName, clockSlowMs, replaced, unset]`. `account` is its field's index from 1.
 */
export function packMapping(mapping: Mapping): StoredMapping {
  const { accountField, timeField, sentName, clockSlowMs, replaced, unsetField } = mapping;
  const account = accountField === undefined ? 0 : ACCOUNT_FIELDS.indexOf(accountField) + 1;
  const time = TIME_FIELDS.indexOf(timeField ?? null);
  const reasons = [REPLACED.indexOf(replaced), UNSET_FIELDS.indexOf(unsetField)];
  const packed = [account, time, sentName ?? 0, clockSlowMs ?? 0, ...reasons];
  while (packed.at(-1) === 0) packed.pop();
  return packed;
}

export function unpackMapping([account, time = 0, sentName, clockSlowMs, replaced, unset]: StoredMapping): Mapping {
  const accountField = ACCOUNT_FIELDS[Number(account) - 1];
  const timeField = TIME_FIELDS[Number(time)];
  const reason = REPLACED[Number(replaced)];
  const unsetField = UNSET_FIELDS[Number(unset)];
  return {
    ...(typeof sentName === "string" && { sentName }),
    ...(accountField && { accountField }),
    ...(timeField && { timeField }),
    ...(typeof clockSlowMs === "number" && clockSlowMs !== 0 && { clockSlowMs }),
    ...(reason && { replaced: reason }),
    ...(unsetField && { unsetField }),
  };
}
