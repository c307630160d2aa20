/** Free-form traits: whatever the sender said of an account or a user, by the name that it gave it. */
import type { Json } from "../../json.ts";
import type { Trait } from "../model.ts";
import { foldName } from "../names.ts";
import { type Finding, type Outcome, silence } from "./finding.ts";
import { quoted } from "./wording.ts";

/**
 * @param key folded (`foldName`), as the question put it
 */
export function trait(name: string, traits: readonly Trait[], key: string): Outcome {
  const said = traits.filter(({ value }) => value !== null);
  const exact = said.filter((each) => foldName(each.key) === key);
  // "company size" is how one asks for `companySize`.
  const matching = exact.length > 0 ? exact : said.filter((each) => unspaced(foldName(each.key)) === unspaced(key));
  const [first, ...others] = matching;
  if (first === undefined) return silence("unmeasured_attribute", `${quoted(key)} is not known of ${name}.`);
  if (others.some(({ value }) => JSON.stringify(value) !== JSON.stringify(first.value))) {
    const keys = matching.map((each) => quoted(each.key)).join(", ");
    return silence("ambiguous_subject", `Several things known of ${name} have that name, and differ: ${keys}.`);
  }
  return stating(name, first);
}

const unspaced = (folded: string): string => folded.replaceAll(" ", "");

function stating(name: string, { key, value }: Trait): Finding {
  const plain = plainOf(value);
  const shown = typeof plain === "string" ? quoted(plain) : String(plain);
  return {
    says: `${quoted(key)} of ${name} is ${shown}.`,
    value: plain,
    grounds: [
      { kind: "trait", measure: "key", value: key },
      { kind: "trait", measure: "value", value: plain },
    ],
  };
}

/** Lists and objects as their JSON: they are shown, not read. */
function plainOf(value: Json): string | number | boolean {
  return typeof value === "object" ? JSON.stringify(value) : value;
}
