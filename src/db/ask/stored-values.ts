/** Values as they are stored, in the words of answers. */
import type { Trait } from "../../core/ask/model.ts";
import { attributesAsOf } from "../../core/health/attributes.ts";
import type { AttributeValues } from "../../core/health/model.ts";
import type { Batch, Value } from "../client/batch.ts";
import type { StoredAttributes } from "../schema/schema.ts";

/** The attributes that are set, of a column that holds them with their times. */
export function attributesIn(text: Value | undefined): AttributeValues {
  const stored: StoredAttributes = JSON.parse(String(text ?? "{}"));
  const values = Object.fromEntries(Object.entries(stored).map(([name, [value]]) => [name, value]));
  return attributesAsOf([{ day: 0, values }], 0);
}

const TRAITS = `
SELECT t.key, t.value FROM traits t
WHERE t.subject_kind = ?2 AND t.subject = ?3 AND t.value IS NOT NULL
ORDER BY t.key`;

/** The free-form traits of an account or a user. */
export function selectTraits(batch: Batch, kind: "account" | "user", subject: number): () => Trait[] {
  const rows = batch.add(TRAITS, kind, subject);
  return () => rows().map(({ key, value }) => ({ key: String(key), value: JSON.parse(String(value)) }));
}
