/** Valid and invalid messages of all types, with personal data planted anywhere except in identifiers. */
import * as fc from "fast-check";

import { plantedTree } from "../../core/ingest/personal-arbitraries.ts";

export interface Planted {
  body: Record<string, unknown>;
  /** Texts that must not appear anywhere. */
  secrets: string[];
}

/** Generated addresses, and addresses with a mark in each part. No part may be left. */
const mark = fc.stringMatching(/^[a-z]{10}$/).map((letters) => `qq${letters}`);
const address = fc.oneof(
  fc.emailAddress().map((mail) => ({ mail, secrets: [mail] })),
  fc.tuple(mark, mark, fc.constantFrom(".com", ".co.uk", ".museum")).map(([local, domain, top]) => ({
    mail: `${local}@${domain}${top}`,
    secrets: [local, domain],
  })),
  fc.tuple(mark, mark, mark).map(([first, last, domain]) => ({
    mail: `${first}.${last}+tag@mail.${domain}.io`,
    secrets: [first, last, domain],
  })),
);

const around = fc.constantFrom<[string, string]>(
  ["", ""],
  ["Invited ", ""],
  ["<", ">"],
  ["to:", ", again"],
  ["a/", "?x=1"],
);
const text = fc
  .tuple(around, address)
  .map(([[before, after], { mail, secrets }]) => ({ value: before + mail + after, secrets }));

interface Field {
  name: string;
  value: unknown;
  secrets: string[];
}

const field = (name: string, values: fc.Arbitrary<{ value: unknown; secrets: string[] }>): fc.Arbitrary<Field> =>
  values.map((found) => ({ name, ...found }));
const tree = (kind: "everywhere" | "traits") =>
  plantedTree(kind).map((found) => ({ value: found.tree, secrets: found.secrets }));

/** Objects that are stored, partly stored, or never read. */
const payload = fc.oneof(
  { weight: 5, arbitrary: field("properties", tree("everywhere")) },
  { weight: 5, arbitrary: field("traits", tree("traits")) },
  { weight: 1, arbitrary: field("context", tree("everywhere")) },
  { weight: 1, arbitrary: field("integrations", tree("everywhere")) },
  { weight: 1, arbitrary: fc.constantFrom("properties", "traits").chain((name) => field(name, text)) },
);
const loose = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom("accountPlan", "account_stage", "accountStage", "note", "channel", "sentAt", "anonymousId")
      .chain((name) => field(name, text)),
  },
  { weight: 3, arbitrary: address.map(({ mail, secrets }) => ({ name: mail, value: 1, secrets })) },
  { weight: 2, arbitrary: mark.map((secret) => ({ name: "email", value: secret, secrets: [secret] })) },
  // Fields in which an address makes the message invalid.
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("timestamp", "type", "trialEndsAt", "accountSeats", "accountCurrency")
      .chain((name) => field(name, text)),
  },
);
/** Sometimes makes the message too large or too deep. */
const flaw = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ pad: "x".repeat(17_000) }, { pad: JSON.parse("[".repeat(40) + "]".repeat(40)) }),
  },
);

function planted(start: fc.Arbitrary<Record<string, unknown>>, fields: fc.Arbitrary<Field>[]): fc.Arbitrary<Planted> {
  return fc.tuple(start, fc.tuple(...fields.map((one) => fc.option(one))), flaw).map(([first, found, last]) => {
    const body = { ...first };
    const secrets = new Map<string, string[]>();
    for (const one of found) {
      if (one === null) continue;
      body[one.name] = one.value;
      secrets.set(one.name, one.secrets);
    }
    return { body: { ...body, ...last }, secrets: [...secrets.values()].flat() };
  });
}

const usual = fc.constantFrom<Record<string, unknown>>(
  { userId: "u1", groupId: "acme" },
  { userId: "u2", accountId: "acme" },
  { groupId: "acme", accountId: "acme" },
);
const unusual = fc.constantFrom<Record<string, unknown>>(
  { userId: "u1" },
  { userId: { not: "an id" }, groupId: "acme" },
  { userId: "u1", messageId: [] },
  {},
);
const types = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("track", "track", "identify", "group") },
  { weight: 1, arbitrary: fc.constantFrom("page", "alias", "other", null) },
);

export const cdpMessage: fc.Arbitrary<Planted> = planted(
  fc
    .tuple(types, fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: unusual }))
    .map(([type, ids]) => ({ type, ...ids, event: "Report Exported" })),
  [field("event", text), payload, payload, loose, loose],
);

export const nativeCapture: fc.Arbitrary<Planted> = planted(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant({ accountId: "acme", userId: "u1", event: "report.exported" }) },
    { weight: 1, arbitrary: fc.constant({ accountId: "acme", userId: "u2", event: "Not Dotted" }) },
    { weight: 1, arbitrary: fc.constant({ accountId: "acme", event: "report.exported" }) },
  ),
  [payload, fc.oneof({ weight: 6, arbitrary: loose }, { weight: 1, arbitrary: field("event", text) }), payload],
);
