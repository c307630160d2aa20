/** Short for what is expected of answers. */
import type { Span } from "../calendar.ts";
import type { Expected, Label, Truth } from "./model.ts";

/** @param subject `null` for a question about all accounts */
export const known = (
  subject: Label | null,
  measures: readonly string[],
  truth: Truth,
  span: Span | null = null,
): Expected => ({ knows: true, truth, span, measures, subject });

/** A family is named by its subject, its measure and what else there is to say. */
export const measureOf = (family: string): readonly string[] => [family.split(".")[1] ?? ""];

export const number = (value: number): Truth => ({ kind: "number", value });
export const day = (value: number): Truth => ({ kind: "day", day: value });
export const names = (labels: readonly Label[]): Truth => ({ kind: "names", labels });

/** Names with how often each. */
export const counted = (rows: readonly { label: Label; value: number }[]): Truth => ({
  kind: "names",
  labels: rows.map(({ label }) => label),
  values: rows.map(({ value }) => value),
});

export const yesOrNo = (count: number): Truth => ({ kind: "yes_or_no", value: count > 0, count });
