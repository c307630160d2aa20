/**
 * Changes to the JSON of a body.
 *
 * A change is plain data (`at` picks a place, modulo the number of places), so that fast-check can shrink a failing
 * request to the change that matters.
 */
import * as fc from "fast-check";

import * as hostile from "./hostile-values.ts";
import type { Json } from "./request.ts";

/** Bytes around the limits of a message and of a body. */
const SIZES = [4_096, 16_384, 524_288];
const BATCH_LENGTHS = [2, 99, 101, 300, 1_000, 1_001];
const KEY_COUNTS = [2, 101, 255, 256, 257];
/** Bounds the changes that multiply a value. */
const MAX_BYTES = 2_000_000;

/** A member of an object or an item of an array. */
type Slot = readonly [holder: object, key: string];
export type BodyChange = (body: Json, slots: readonly Slot[]) => void;

/** Ends an added key, and is cut from the JSON: so a key can occur twice, and can be `__proto__`. */
const KEY_END = "%%key%%";
/** Surrounds JSON source text that replaces a value. */
const SOURCE = /"%%source(.*?)%%"/g;

export function changedBody(body: Json, changes: readonly BodyChange[]): Buffer {
  const top = { body: structuredClone(body) };
  for (const change of changes) change(top.body ?? null, slotsOf(top));
  const written = JSON.stringify(top.body) ?? "null";
  return Buffer.from(written.replaceAll(`${KEY_END}":`, '":').replaceAll(SOURCE, decoded));
}

const decoded = (_source: string, encoded: string): string => Buffer.from(encoded, "base64").toString();

const slotsOf = (holder: object): Slot[] =>
  Object.entries(holder).flatMap(([key, value]: [string, unknown]) => [
    [holder, key] as const,
    ...(typeof value === "object" && value !== null ? slotsOf(value) : []),
  ]);

/** Changes a value inside the body, or all of a body that has none. */
const inSlot =
  (at: number, change: (slot: Slot, value: unknown) => void): BodyChange =>
  (_body, slots) => {
    const slot = slots[1 + (at % (slots.length - 1))] ?? slots[0];
    if (slot !== undefined) change(slot, Reflect.get(...slot));
  };

/** Changes an object at a place, or the one around it. */
const inObject = (at: number, change: (object: object) => void): BodyChange =>
  inSlot(at, ([holder], value) => change(typeof value === "object" && value !== null ? value : holder));

const add = (object: object, key: string, value: unknown) => Reflect.set(object, key + KEY_END, value);
const place = fc.nat(10_000);
const source = hostile.json.map((text) => `%%source${Buffer.from(text).toString("base64")}%%`);

const replaceValue = fc
  .tuple(place, source)
  .map(([at, value]) => inSlot(at, ([holder, key]) => Reflect.set(holder, key, value)));

const addMember = fc
  .tuple(place, hostile.key, fc.oneof(source, hostile.canary))
  .map(([at, key, value]) => inObject(at, (object) => add(object, key, value)));

const remove = place.map((at) => inSlot(at, (slot) => Reflect.deleteProperty(...slot)));

const addMembers = fc.tuple(place, fc.constantFrom(...KEY_COUNTS)).map(([at, count]) =>
  inObject(at, (object) => {
    for (let n = 0; n < count; n++) add(object, `key${n}`, n);
  }),
);

const padToLimit = fc
  .tuple(place, fc.constantFrom(...SIZES), fc.integer({ min: -2, max: 2 }))
  .map(([at, size, offset]): BodyChange => (body, slots) => {
    const missing = size + offset - Buffer.byteLength(JSON.stringify(body)) - '"padding":"",'.length;
    inObject(at, (object) => add(object, "padding", "x".repeat(Math.max(0, missing))))(body, slots);
  });

const lengthenBatch = fc.constantFrom(...BATCH_LENGTHS).map((length): BodyChange => (_body, slots) => {
  const batch: unknown[] = slots.map((slot): unknown => Reflect.get(...slot)).find(Array.isArray) ?? [];
  const bytes = JSON.stringify(batch[0])?.length ?? MAX_BYTES;
  const missing = Math.min(length, Math.ceil(MAX_BYTES / bytes)) - batch.length;
  for (let n = 0; n < missing; n++) batch.push(structuredClone(batch[0]));
});

export const bodyChange: fc.Arbitrary<BodyChange> = fc.oneof(
  { weight: 9, arbitrary: replaceValue },
  { weight: 9, arbitrary: addMember },
  { weight: 4, arbitrary: remove },
  { weight: 2, arbitrary: addMembers },
  { weight: 2, arbitrary: padToLimit },
  { weight: 1, arbitrary: lengthenBatch },
);
