/** D1's limits on a statement, which the local D1 does not enforce. */
import { expect, it } from "vitest";

import { utf8 } from "../support/messages.ts";
import { message, messages, type Meter, newMeter, type Statement } from "./meter.ts";

const MAX_VALUE_BYTES = 2_000_000;
const MAX_SQL_BYTES = 100_000;
const MAX_PARAMETERS = 100;
const MAX_BODY_BYTES = 512 * 1024;
/** D1 accepts 1,000 in an invocation. A request may run its statements twice. */
const MAX_STATEMENTS = 50;

/** Makes an array of numbers that grow from 5 to 21 characters when serialized. */
const growing = (count: number): string => `[${Array.from({ length: count }, () => "1e20").join()}]`;

/** Lists the statements that D1 would refuse, with the reason. */
function refused(statements: Statement[]): string[] {
  return statements.flatMap(({ sql, values }) => {
    const sizes = values.map((value) => utf8(String(value)).byteLength);
    const largest = Math.max(0, ...sizes);
    const why = [
      ...(utf8(sql).byteLength > MAX_SQL_BYTES ? ["the statement is too long"] : []),
      ...(values.length > MAX_PARAMETERS ? [`${values.length} parameters`] : []),
      ...(largest > MAX_VALUE_BYTES ? [`a value of ${largest} bytes`] : []),
    ];
    return why.map((reason) => `${reason}: ${sql}`);
  });
}

/** Repeats a message up to the limits of a body and a batch. */
function fullBatch(one: Record<string, unknown>): string {
  const text = (place: number) => JSON.stringify({ ...one, messageId: `${place}` }).replaceAll('"#"', growing(720));
  const count = Math.min(1_000, Math.floor((MAX_BODY_BYTES - 20) / (text(999).length + 1)));
  const body = `{"batch":[${Array.from({ length: count }, (_, place) => text(place)).join()}]}`;
  expect(utf8(body).byteLength).toBeLessThanOrEqual(MAX_BODY_BYTES);
  return body;
}

async function storedBy(meter: Meter, body: unknown) {
  const cost = await meter.post("/api/v1/cdp", body);
  expect(cost.trips).toBe(1);
  expect(cost.statements.length).toBeLessThanOrEqual(MAX_STATEMENTS);
  return cost;
}

it.each([
  ["properties", message("track", { properties: { numbers: "#" } })],
  ["traits", message("identify", { event: null, traits: { numbers: "#" } })],
  ["traits of a group", message("group", { groupId: "acme", traits: { numbers: "#" } })],
])(
  "§4.1 a batch of 512 KB whose %s grow when serialized stays within D1's limits, in one round trip",
  async (_, one) => {
    const meter = await newMeter();
    const cost = await storedBy(meter, fullBatch(one));
    expect(refused(cost.statements)).toEqual([]);
    const { body } = await meter.workspace.get("/api/v1/rejected");
    expect(body.rejected).toEqual([]);
  },
);

it.each([
  ["quotes", '"'.repeat(200)],
  ["backslashes", "\\".repeat(200)],
  ["control characters", "\u0001".repeat(60)],
  ["two bytes a character", "é".repeat(200)],
  ["four bytes a character", "😀".repeat(100)],
])("§4.1 a batch of text with %s stays within them", async (_, text) => {
  const meter = await newMeter();
  const one = message("identify", { traits: { [text]: text } });
  const count = Math.min(1_000, Math.floor(MAX_BODY_BYTES / (utf8(JSON.stringify(one)).byteLength + 10)));
  const batch = messages(count, "identify", () => ({ traits: { [text]: text } }));
  expect(refused((await storedBy(meter, { batch })).statements)).toEqual([]);
});

const id = (place: number): string => `${"語".repeat(250)}${place}`;

it("§4.1 stays within them for a batch with the longest identifiers", async () => {
  const meter = await newMeter();
  const batch = messages(200, "track", (place) => ({ userId: id(place), accountId: id(place), messageId: id(place) }));
  expect(refused((await storedBy(meter, { batch })).statements)).toEqual([]);
});

it("§4.5 stays within them for 1,000 rejected messages whose properties grow when serialized", async () => {
  const meter = await newMeter();
  const text = `{"type":"track","userId":"u","event":"","properties":{"a":${growing(91)}}}`;
  const body = `{"batch":[${Array.from({ length: 1_000 }, () => text).join()}]}`;
  expect(utf8(body).byteLength).toBeLessThanOrEqual(MAX_BODY_BYTES);
  expect(refused((await storedBy(meter, body)).statements)).toEqual([]);
});
