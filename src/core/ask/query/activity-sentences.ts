/** Sentences about what was counted, as people say them: "30 people at Acme were active". */
import type { AnswerContext } from "./answer-context.ts";
import { entityText } from "./display-names.ts";
import { counted, type NounPhrase } from "./noun-phrases.ts";
import { MEASURED_SCOPES } from "./words.ts";

/** Who did it: one account or user, or an owner with conditions; and the event, unless it is any. */
interface Deed {
  subject: string | null;
  owner: NounPhrase | null;
  event: string | null;
}

/** @returns the sentence without its time; `null` if what was counted has no plainer one than "had 30 events" */
export function activitySentence(context: AnswerContext, value: number): string | null {
  const { query, result, evidence } = context;
  const { find, measure = "events" } = query;
  const deed = deedOf(context);
  if (deed === null) return null;
  const isCompared = query.compare !== undefined;
  const { subject, owner, event } = deed;
  const figures = evidence.number(measure, value, result.window ?? undefined);
  const of = (plural: string) => counted(figures, { plural });
  const were = figures === "1" ? "was" : "were";
  const at = owner === null ? "" : ` ${MEASURED_SCOPES[owner.find === "users" ? "users" : "accounts"]} ${owner.text}`;
  const used = event === null ? null : `used ${event}`;
  switch (measure) {
    case "active_users": {
      const people = figures === "0" ? "nobody" : figures === "1" ? "1 person" : `${figures} people`;
      if (find === "users" || owner?.find === "users") return null;
      return `${people}${subject === null ? at : ` at ${subject}`} ${used ?? `${figures === "0" ? "was" : were} active`}`;
    }
    case "active_accounts":
      if (subject !== null || owner?.find === "users") return null;
      return `${counted(figures, owner ?? { plural: "accounts" })} ${used ?? `${were} active`}`;
    case "active_days":
      if (subject === null) return null;
      if (figures === "0") return `${subject} ${event === null ? "was not active" : `did not use ${event}`}`;
      return `${subject} ${used ?? "was active"} on ${of("days")}`;
    case "features_used":
      if (event !== null) return null;
      return subject === null ? `${of("features")} ${were} used${at}` : `${subject} used ${of("features")}`;
    case "events": {
      if (event === null) return subject === null ? null : `${subject} had ${of("events")}`;
      if (figures === "0" && !isCompared)
        return subject === null ? `${event} was not sent${byOf(owner)}` : `${subject} did not use ${event}`;
      const times = (isCompared ? undefined : ONCE.get(figures)) ?? (figures === "1" ? "1 time" : `${figures} times`);
      return subject === null ? `${event} was sent ${times}${byOf(owner)}` : `${subject} used ${event} ${times}`;
    }
    default:
      return null;
  }
}

const ONCE: ReadonlyMap<string, string> = new Map([
  ["1", "once"],
  ["2", "twice"],
]);

const byOf = (owner: NounPhrase | null): string => (owner === null ? "" : ` by ${owner.text}`);

function deedOf(context: AnswerContext): Deed | null {
  const { query, noun } = context;
  const { find, where } = query;
  const { owner, named, clauses } = noun;
  const events = where.filter(({ dimension, is, window }) => dimension === "event" && is !== undefined && !window);
  const [event = null, ...others] = events.map(({ is = "" }) => entityText("feature", is, context));
  const isPlain = clauses.length === 0 && where.every(({ dimension, is }) => dimension !== "event" || is !== undefined);
  if (others.length > 0) return null;
  if (find === "features") return named === "one" && isPlain ? { subject: null, owner, event } : null;
  if (find === "events" && isPlain)
    return owner?.named === "one" && owner.clauses.length === 0 && owner.owner === null
      ? { subject: owner.head, owner: null, event }
      : { subject: null, owner, event };
  // The clause of accounts and users that used the event.
  const isOfEvent = clauses.length === (event === null ? 0 : 1);
  return named === "one" && owner === null && isOfEvent ? { subject: noun.head, owner, event } : null;
}
