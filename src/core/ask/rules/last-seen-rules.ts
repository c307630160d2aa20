/** When somebody was last there: asked of accounts and of people alike. */
import type { Concept } from "../lexicon/concept-words.ts";
import { ABOUT_NOW, eachOf, type Rule, withEach } from "./rule.ts";

const DONE: readonly Concept[] = ["event", "use", "send", "thing", "product", "usage"];
const NOT_YET: readonly string[] = ["never", "yet", "ever", "every"];

/** @param noun what may be said before the name */
export function lastSeen(of: Pick<Rule, "names" | "plan">, noun: Concept): Rule[] {
  const may: readonly Concept[] = [...ABOUT_NOW, noun, "product", "active", "activity", "lately", "thing"];
  return [
    {
      ...of,
      ways: [
        ["lastSeen"],
        ["last", "seen"],
        ["last", "active"],
        ["last", "activity"],
        ...withEach(
          [
            ["when", "last"],
            ["howLong", "last"],
            ["dayNoun", "last"],
          ],
          eachOf(...DONE),
        ),
        ["dayNoun", "last", "active"],
      ],
      may: [...may, "when", "howLong", "dayNoun", "event", "use", "send", "sinceThen", "last", "userMany", "message"],
      time: "now",
      butNot: [...NOT_YET, "which", "who"],
    },
    {
      ...of,
      ways: [["silent"], ["yesNo", "active"]],
      may: [...may, "howLong", "sinceThen"],
      time: "now",
      butNot: [...NOT_YET, "which", "who", "were"],
    },
    {
      ...of,
      ways: withEach(
        [
          ["howMany", "dayNoun", "sinceThen"],
          ["howLong", "sinceThen"],
          ["dayNoun", "sinceThen"],
        ],
        eachOf("lastSeen", "active", "activity", "seen", "event", "use"),
      ),
      may: [...may, "howMany", "dayNoun", "howLong", "sinceThen", "last", "event", "use", "send"],
      time: "now",
      butNot: NOT_YET,
    },
  ];
}
