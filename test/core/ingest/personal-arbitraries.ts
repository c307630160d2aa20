import * as fc from "fast-check";

import type { Json, JsonObject } from "../../../src/core/json.ts";

/** The keys that docs/wire/personal-data.md §5 lists, with a space between words. */
export const EVERYWHERE: readonly string[] = `
  email, e mail, email address, mail, email hash, e mail hash
  first name, last name, middle name, full name, given name, family name, sur name, maiden name
  user name, display name, nick name, phone, phone number, mobile, mobile number, tel, fax
  address, street, street address, zip, postal code, postcode, birthday, birth date, date of birth, dob
  age, gender, sex, avatar, photo, picture, ip, ip address, user agent, latitude, longitude
  ssn, tax id, passport, national id, iban, card number, password, token, secret
  api key, private key, secret key, access key`
  .trim()
  .split(/,\s*|\s*\n\s*/);
export const IN_TRAITS: readonly string[] = ["name", "company", "company name", "title", "website", "description"];

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the ways senders write a key. */
export function keyStyles(name: string): string[] {
  const words = name.split(" ");
  const camel = words.map((word, index) => (index === 0 ? word : capital(word))).join("");
  return [
    camel,
    words.map(capital).join(""),
    words.join(""),
    words.join("_"),
    words.join("-"),
    words.join("."),
    words.join(" "),
    words.join("_").toUpperCase(),
    `$${words.join("__")}`,
    words.map(capital).join(" "),
  ];
}

function randomCase(word: string): fc.Arbitrary<string> {
  return fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((upper) =>
      word.replaceAll(/./g, (letter, at: number) => (upper[at] === true ? letter.toUpperCase() : letter)),
    );
}

function styled(names: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...names), fc.constantFrom("", "_", "-", " ", ".", "--", "/", "\u00A0"))
    .chain(([name, separator]) => randomCase(name.replaceAll(" ", separator)));
}

/** A key that is personal everywhere, in any case and with any separators. */
export const personalKey: fc.Arbitrary<string> = styled(EVERYWHERE);

/** A value that must not appear anywhere. No other generator makes it. */
export const secretText: fc.Arbitrary<string> = fc
  .stringMatching(/^[a-z]{8}$/)
  .map((letters) => `qqsecret${letters}qq`);

const secretUnderKey: fc.Arbitrary<Json> = fc.oneof(
  secretText,
  fc.array(secretText, { minLength: 1, maxLength: 2 }),
  secretText.map((secret) => ({ deep: [{ [secret]: secret }] })),
);

/** `tree` contains `secrets`: under listed keys or as e-mail addresses in values and keys, at any depth. */
export interface Planted {
  tree: JsonObject;
  secrets: string[];
}

interface Part {
  key: string;
  value: Json;
  secrets: string[];
}

const address = fc.oneof(fc.emailAddress({ size: "xsmall" }), fc.emailAddress());

const plainKey = fc.stringMatching(/^[bcdfg]{1,3}$/);

export function plantedTree(kind: "everywhere" | "traits"): fc.Arbitrary<Planted> {
  const listed = kind === "everywhere" ? personalKey : styled([...EVERYWHERE, ...IN_TRAITS]);
  const leaf: fc.Arbitrary<Part> = fc.oneof(
    fc.tuple(plainKey, fc.constantFrom(null, true, 7, "text")).map(([key, value]) => ({ key, value, secrets: [] })),
    fc.tuple(listed, secretUnderKey).map(([key, value]) => ({ key, value, secrets: secretsIn(value) })),
    fc.tuple(plainKey, address).map(([key, mail]) => ({ key, value: `ask ${mail}!`, secrets: [mail] })),
    fc.tuple(plainKey, address).map(([key, mail]) => ({ key: `${key} ${mail}`, value: 1, secrets: [mail] })),
  );
  return fc.letrec<{ planted: Planted; part: Part }>((tie) => ({
    planted: fc.array(tie("part"), { minLength: 1, maxLength: 3 }).map(assemble),
    part: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      { weight: 3, arbitrary: leaf },
      {
        weight: 1,
        arbitrary: fc
          .tuple(plainKey, tie("planted"), fc.boolean())
          .map(([key, { tree, secrets }, inArray]) => ({ key, value: inArray ? [1, [tree]] : tree, secrets })),
      },
    ),
  })).planted;
}

/** A later part with the same key replaces an earlier one, so only values still in the tree are secrets. */
function assemble(parts: Part[]): Planted {
  const byKey = new Map(parts.map((part) => [part.key, part]));
  const kept = [...byKey.values()];
  return {
    tree: Object.fromEntries(kept.map(({ key, value }) => [key, value])),
    secrets: kept.flatMap(({ secrets }) => secrets),
  };
}

function secretsIn(value: Json): string[] {
  return JSON.stringify(value).match(/qqsecret[a-z]{8}qq/g) ?? [];
}
