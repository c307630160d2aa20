/** Rows of names as the language of questions knows them. */
import type { Entity, KnownName } from "../../core/ask/model.ts";
import type { Row } from "../client/batch.ts";
import { entityIn, feature } from "./entity-rows.ts";

/** A known name and, of an account, its kind. */
export interface RankedName extends KnownName {
  accountKind: "company" | "solo" | null;
}

/** @param row of `ENTITY_COLUMNS`, with `account_kind`, and `text` where the source is a trait */
export function knownName(row: Row, source: KnownName["source"]): RankedName {
  const entity = nameable(row);
  const kind = row["account_kind"];
  return {
    entity,
    text: textOf(row, entity, source),
    source,
    accountKind: kind === "company" || kind === "solo" ? kind : null,
  };
}

const nameable = (row: Row): Entity =>
  row["kind"] === "feature" ? feature(String(row["external_id"]), Number(row["number"])) : entityIn(row);

function textOf(row: Row, entity: Entity, source: KnownName["source"]): string {
  if (source === "internal_id") return entity.id;
  return source === "external_id" || source === "event" ? entity.externalId : String(row["text"]);
}

/** Each name once. An external id means the company that has it, and an account of one only where no company has. */
export function withoutEclipsed(names: readonly RankedName[]): KnownName[] {
  const companies = new Set(
    names.filter(({ accountKind }) => accountKind === "company").map(({ entity }) => entity.externalId),
  );
  const kept = new Map<string, KnownName>();
  for (const { accountKind, ...name } of names) {
    const { entity, source, text } = name;
    if (accountKind === "solo" && source === "external_id" && companies.has(entity.externalId)) continue;
    kept.set(JSON.stringify([entity.type, entity.id, source, text]), name);
  }
  return [...kept.values()];
}
