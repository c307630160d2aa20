/** Properties of any body: generated JSON, and known fields with junk in them. */
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { plantedTree } from "./personal-arbitraries.ts";
import type { Json } from "../../../src/core/json.ts";
import { parseJson } from "../../../src/core/parse-json.ts";
import { at, CONTEXT, mapBody, parse, RECEIVED_AT } from "./support.ts";

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, "", " ", "acme", 7, 1.5, 2 ** 60, "a\0", "\uD800", {}, [], "x".repeat(300)),
);
/** Usually a valid value, sometimes junk, often nothing. */
function mostly(...usual: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: fc.oneof(...usual) }, { weight: 1, arbitrary: junk });
}
const anId = mostly(fc.constantFrom<unknown>("u1", " acme ", 7, null, undefined, undefined));
const time = mostly(fc.constantFrom(at(0), at(-60_000), at(9e8), undefined));
const place = mostly(
  fc.constant(undefined),
  fc.record(
    {
      accountId: anId,
      company_id: anId,
      groupId: anId,
      company: mostly(fc.record({ id: anId, plan: junk, size: junk, name: junk })),
      plan: junk,
      accountSeats: junk,
      email: junk,
    },
    { requiredKeys: [] },
  ),
);
const message = fc.record({
  type: mostly(fc.constantFrom("track", "identify", "group", "Group")),
  messageId: anId,
  userId: anId,
  groupId: anId,
  event: mostly(fc.constantFrom("Report Exported", "x")),
  properties: place,
  traits: place,
  context: fc.oneof(place, fc.record({ traits: place })),
  timestamp: time,
  sentAt: fc.oneof(time, junk),
  originalTimestamp: fc.oneof(time, junk),
  receivedAt: fc.option(time),
  accountPlan: junk,
});
const item = fc.oneof(
  { weight: 6, arbitrary: message },
  { weight: 1, arbitrary: fc.record({ json: message }) },
  { weight: 1, arbitrary: junk },
);
const body = fc.oneof(
  item,
  fc.array(item, { maxLength: 8 }),
  fc.record({
    batch: fc.array(item, { maxLength: 8 }),
    sentAt: junk,
    context: fc.oneof(place, fc.record({ traits: place })),
  }),
  fc.record({ batch: junk }),
);
const pathType = fc.constantFrom(null, null, null, "track", "identify", "group", "page");

/** Parses a value as the service would. */
function parsed(value: unknown): Json {
  const read = parseJson(JSON.stringify(value) ?? "null");
  if (!read.ok) throw new Error("not JSON");
  return read.value;
}

it("§4.5 every message of any body is accepted or rejected once, and nothing throws", () => {
  let accepted = 0;
  fc.assert(
    fc.property(body, pathType, (raw, type) => {
      const batch = mapBody(parsed(raw), { ...CONTEXT, pathType: type });
      if (!batch.ok) return;
      const places = [...batch.messages, ...batch.rejections].map(({ index }) => index);
      expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: batch.count }, (_, i) => i));
      for (const { index, paths } of batch.redactions) {
        expect(paths.length).toBeGreaterThan(0);
        expect(places).toContain(index);
      }
      accepted += batch.messages.length;
    }),
    { numRuns: 5_000 },
  );
  expect(accepted).toBeGreaterThan(1_000);
});

it("§4.2 every accepted message keeps the rules of the internal message", () => {
  fc.assert(
    fc.property(body, pathType, (raw, type) => {
      const batch = mapBody(parsed(raw), { ...CONTEXT, pathType: type });
      if (!batch.ok) return;
      for (const found of batch.messages) {
        const ids = [found.messageId, found.userId, found.accountId].filter((id) => id !== null);
        expect(found.event !== null).toBe(found.type === "track");
        expect(found.userId !== null || found.accountId !== null).toBe(true);
        expect(found.type === "group" && found.accountId === null).toBe(false);
        expect(found.type === "track" ? (found.traits ?? found.accountTraits) : found.properties).toBeNull();
        expect(found.accountTraits !== null && found.accountId === null).toBe(false);
        expect(ids.every((id) => /^(?!\s)\P{Cc}{1,256}(?<!\s)$/u.test(id))).toBe(true);
        expect(found.occurredAt).toBeLessThanOrEqual(RECEIVED_AT + 300_000);
        expect(Number.isSafeInteger(found.occurredAt)).toBe(true);
        expect(JSON.stringify(found).isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 3_000 },
  );
});

it("§4.2 every integer is stored as sent: as a number if all readers know it exactly, else as text", () => {
  const integer = fc.oneof(
    fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
    fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
  );
  fc.assert(
    fc.property(integer, fc.constantFrom("track", "identify", "group"), (number, type) => {
      const ids = `"type":"${type}","userId":"u","groupId":"g","event":"e"`;
      const part = type === "track" ? "properties" : "traits";
      const batch = mapBody(parse(`{${ids},"${part}":{"n":${number},"deep":[{"n":${number},"tokens":${number}}]}}`));
      if (!batch.ok) throw new Error(batch.message);
      const stored = Number.isSafeInteger(Number(number)) ? Number(number) : String(number);
      const [mapped] = batch.messages;
      expect(mapped?.[type === "group" ? "accountTraits" : part]).toEqual({
        n: stored,
        deep: [{ n: stored, tokens: stored }],
      });
    }),
    { numRuns: 2_000 },
  );
});

it("§5 no message, mapping, rejection or redaction contains personal data planted outside of identifiers", () => {
  const address = fc.emailAddress();
  const withPersonalData = fc
    .record({
      type: fc.constantFrom<unknown>("track", "identify", "group", "page", "jane@example.com", null),
      ids: fc.constantFrom({ userId: "u" }, { groupId: "g" }, { userId: "u", accountId: "a" }, { userId: {} }, {}),
      event: fc.option(fc.tuple(fc.constantFrom("Invited ", "a", "!", "x".repeat(300)), address)),
      properties: plantedTree("everywhere"),
      traits: plantedTree("traits"),
      context: plantedTree("everywhere"),
      inContext: plantedTree("traits"),
      company: plantedTree("traits"),
      attribute: fc.tuple(fc.constantFrom("accountPlan", "account_stage", "x", "timestamp"), address),
      pad: fc.constantFrom({}, { big: "x".repeat(17_000) }, { deep: JSON.parse("[".repeat(40) + "]".repeat(40)) }),
      key: address,
    })
    .map(({ type, ids, event, properties, traits, context, inContext, company, attribute, pad, key }) => ({
      message: {
        type,
        ...ids,
        event: event === null ? 7 : event.join(""),
        properties: { ...properties.tree, ...pad },
        traits: { ...traits.tree, company: company.tree },
        context: { ...context.tree, traits: inContext.tree },
        [attribute[0]]: attribute[1],
        [key]: key,
      },
      secrets: [
        ...properties.secrets,
        ...traits.secrets,
        ...context.secrets,
        ...inContext.secrets,
        ...company.secrets,
        ...(event === null ? [] : [event[1]]),
        attribute[1],
        key,
      ],
    }));
  fc.assert(
    fc.property(fc.array(withPersonalData, { minLength: 1, maxLength: 3 }), pathType, (planted, type) => {
      const batch = mapBody(parsed(planted.map((found) => found.message)), { ...CONTEXT, pathType: type });
      const answer = JSON.stringify(batch).toLowerCase();
      for (const secret of planted.flatMap(({ secrets }) => secrets))
        expect(answer).not.toContain(secret.toLowerCase());
    }),
    { numRuns: 2_000 },
  );
});

it("mapping a batch maps each message as if it were alone, and changes nothing that was parsed", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), (raw) => {
      const items = parsed(raw);
      const before = structuredClone(items);
      const batch = mapBody({ batch: items }, CONTEXT);
      expect(items).toEqual(before);
      if (!batch.ok || !Array.isArray(items)) throw new Error("not a batch");
      const alone = items.map((one) => mapBody([one], CONTEXT));
      const renumbered = alone.flatMap((one, index) =>
        one.ok ? one.messages.map((found) => ({ ...found, index })) : [],
      );
      expect(batch.messages).toEqual(renumbered);
    }),
    { numRuns: 1_000 },
  );
});
