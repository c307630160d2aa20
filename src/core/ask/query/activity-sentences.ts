/** Writes counts as people say them: "30 people at Acme were active". */
import type { AnswerContext } from "./answer-context.ts";
import { entityText } from "./display-names.ts";
import { countPhrase } from "./noun-phrases.ts";

/** @returns the sentence without its time; `null` if "had 30 events" is the plainest */
export function activitySentence(context: AnswerContext, value: number): string | null {
  const { query, result, noun, evidence } = context;
  const { find, measure = "events", where } = query;
  const { owner, named, clauses } = noun;
  const events = where.filter(({ dimension }) => dimension === "event");
  const [event = null] = events.map(({ is = "" }) => entityText("feature", is, context));
  const isOwned = find === "events" || find === "features";
  const isOfOne = isOwned ? find === "events" && owner?.named === "one" : named === "one";
  // A clause says which event an account or user has used. Others would be lost.
  const isPlain = clauses.length === (isOwned || event === null ? 0 : 1) && (isOwned || owner === null);
  const isOther = events.length > 1 || events.some(({ is, window }) => is === undefined || window !== undefined);
  if (!isPlain || isOther || (find !== "events" && named !== "one")) return null;
  const by = (isOwned ? owner?.text : noun.head) ?? "";
  const figures = evidence.number(measure, value, result.window ?? undefined);
  const of = (plural: string): string => countPhrase(figures, { plural });
  const [were, used] = [figures === "1" ? "was" : "were", event === null ? null : `used ${event}`];
  const at = by === "" ? "" : ` at ${by}`;
  const isOfUsers = find === "users" || owner?.find === "users";
  switch (measure) {
    case "active_users": {
      if (isOfUsers) return null;
      const people = figures === "0" ? `nobody${at}` : `${figures} ${figures === "1" ? "person" : "people"}${at}`;
      return `${people} ${used ?? `${figures === "0" ? "was" : were} active`}`;
    }
    case "active_accounts":
      return isOfOne || isOfUsers
        ? null
        : `${countPhrase(figures, owner ?? { plural: "accounts" })} ${used ?? `${were} active`}`;
    case "active_days":
      if (!isOfOne) return null;
      if (value === 0) return `${by} ${event === null ? "was not active" : `did not use ${event}`}`;
      return `${by} ${used ?? "was active"} on ${of("days")}`;
    case "features_used":
      if (event !== null) return null;
      return isOfOne ? `${by} used ${of("features")}` : isOfUsers ? null : `${of("features")} ${were} used${at}`;
    case "events": {
      if (event === null) return isOfOne ? `${by} had ${of("events")}` : null;
      const times = value === 1 ? "once" : `${figures} times`;
      if (value === 0 && query.compare === undefined)
        return isOfOne ? `${by} did not use ${event}` : `${event} was not sent${by && ` by ${by}`}`;
      return isOfOne ? `${by} used ${event} ${times}` : `${event} was sent ${times}${by && ` by ${by}`}`;
    }
    default:
      return null;
  }
}
