/** What every answer is told with: what was found, when, and the evidence of it. */
import { Grounds } from "./figures.ts";
import type { Query } from "./model.ts";
import type { QueryResult } from "./result.ts";
import type { Voice } from "./say-clauses.ts";
import { sayEntity } from "./say-names.ts";
import { type Noun, nounOf } from "./say-nouns.ts";
import { refuse, type Telling, thenText, timeText, type Told } from "./telling.ts";

export abstract class Teller {
  protected readonly query: Query;
  protected readonly result: QueryResult;
  protected readonly telling: Telling;
  protected readonly grounds: Grounds;
  protected readonly voice: Voice;

  constructor(query: Query, result: QueryResult, telling: Telling) {
    this.query = query;
    this.result = result;
    this.telling = telling;
    this.grounds = new Grounds(telling.now);
    this.voice = { ...telling, other: false };
    for (const { dimension, is, in: anyOf } of [...query.where, ...(query.of ?? [])]) {
      const type = dimension === "event" ? "feature" : dimension;
      if (type !== "account" && type !== "user" && type !== "feature") continue;
      for (const id of anyOf ?? [is ?? []].flat()) this.grounds.add("attribute", type, sayEntity(type, id, telling));
    }
  }

  protected noun(skipped = -1): Noun {
    const { find, where } = this.query;
    return nounOf(
      find,
      where.filter((_, place) => place !== skipped),
      this.voice,
    );
  }

  protected time(): string {
    return timeText(this.query, this.result, this.grounds, this.telling);
  }

  protected compared(): string {
    return thenText(this.query, this.result, this.grounds, this.telling);
  }

  protected counted(count: number): string {
    const figures = this.grounds.number(this.query.find, count);
    return count === 0 ? "No" : figures;
  }

  protected unknown(label: string, text: string): Told {
    const { measure = "" } = this.query;
    if (measure === "score" || measure === "health")
      return refuse("insufficient_history", `There is no health score of ${text} yet.`);
    if (measure === "last_seen") return refuse("no_data_in_window", `No activity of ${text} is recorded.`);
    return refuse("unmeasured_attribute", `The ${label} of ${text} is not known.`);
  }
}
