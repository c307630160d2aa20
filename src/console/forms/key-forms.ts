/** The forms of keys. They accept what the admin API accepts, encoded as forms encode it. */
import * as z from "zod";

import { DAY_MS } from "../../core/durations.ts";
import { keyChange, newKey, rotation } from "../../edge/schemas/keys.ts";
import type { KeySettings } from "../../services/workspaces/key-changes.ts";
import { creationId, formErrorOf } from "./admin-forms.tsx";

export type Entered = Readonly<Record<string, unknown>>;

type Read<Value> = { ok: true; value: Value } | { ok: false; error: string };

const read = <Value>(schema: z.ZodType<Value>, value: unknown): Read<Value> => {
  const { success, data, error } = schema.safeParse(value);
  return success ? { ok: true, value: data } : { ok: false, error: formErrorOf(error) };
};

/** The text of a field, without white space around it. */
export const textIn = (entered: Entered, field: string): string => {
  const value = entered[field];
  return typeof value === "string" ? value.trim() : "";
};

/** JavaScript would read `1e3` as a number, too. */
const numberOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN);
const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== "");

/** The last day (UTC) of a key that ends. */
export const lastDayOf = (expiresAt: number | null): string =>
  expiresAt === null ? "" : new Date(expiresAt - 1).toISOString().slice(0, 10);

/** A key ends after its last day. A text that is no day is no time, either. */
const endOf = (day: string): string | null => {
  if (day === "") return null;
  const start = /^\d{4}(?:-\d\d){2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(start) ? day : new Date(start + DAY_MS).toISOString();
};

const commonOf = (entered: Entered) => ({
  writeLimit: textIn(entered, "writeLimit") === "" ? null : numberOf(textIn(entered, "writeLimit")),
  expiresAt: endOf(textIn(entered, "lastDay")),
});

type NewKeyForm = Read<KeySettings & { id: string }>;

const withId = (entered: Entered, key: unknown): NewKeyForm => {
  const id = read(creationId, entered["creationId"]);
  const settings = read<KeySettings>(newKey, key);
  if (!id.ok) return id;
  return settings.ok ? { ok: true, value: { ...settings.value, id: `key_${id.value}` } } : settings;
};

/** `all` grants all scopes, including future ones. */
export function readKeyForm(entered: Entered): NewKeyForm {
  const scopes = [entered["scopes"] ?? []].flat();
  const origins = linesOf(textIn(entered, "origins"));
  return withId(entered, {
    ...commonOf(entered),
    name: textIn(entered, "name") || undefined,
    scopes: scopes.includes("all") ? undefined : scopes,
    origins: origins.length === 0 ? undefined : origins,
    signed: textIn(entered, "signed") !== "",
    segmentBatches: entered["signed"] === "segment",
  });
}

/** A new key for the snippets, by where its messages come from. */
export function readStartForm(entered: Entered): NewKeyForm {
  const common = { name: "Get started", scopes: ["ingest"] };
  if (entered["from"] === "pages") return withId(entered, { ...common, origins: linesOf(textIn(entered, "origins")) });
  return withId(entered, { ...common, signed: entered["from"] === "segment" });
}

/** Changes only what the form has. A last day that was shown and stays keeps the time of day. */
export function readKeyChange(entered: Entered): Read<z.infer<typeof keyChange>> {
  const { expiresAt, writeLimit } = commonOf(entered);
  const isSameDay = textIn(entered, "lastDay") === textIn(entered, "shownLastDay");
  return read(keyChange, {
    name: textIn(entered, "name") || null,
    writeLimit,
    ...(!isSameDay && { expiresAt }),
    ...(entered["origins"] !== undefined && { origins: linesOf(textIn(entered, "origins")) }),
  });
}

/** @returns the successor's id, and for how many hours the old key still works */
export const readRotation = (entered: Entered): Read<{ creationId: string; graceHours: number }> =>
  read(z.object({ creationId, graceHours: rotation.shape.graceHours }), {
    creationId: entered["creationId"],
    graceHours: textIn(entered, "graceHours") === "" ? undefined : numberOf(textIn(entered, "graceHours")),
  });
