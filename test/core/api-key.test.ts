import { crc32 } from "node:zlib";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isWellFormedApiKey, newApiKey, SCOPES } from "../../src/core/api-key.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Bytes that are as good as random, and the same in every run. */
function bytesFrom(seed: number): (count: number) => Uint8Array {
  let state = seed;
  return (count) =>
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    });
}

/** The bytes over and over. */
function cycle(bytes: number[]): (count: number) => Uint8Array {
  return (count) => Uint8Array.from({ length: count }, (_, place) => bytes[place % bytes.length] ?? 0);
}

const anyKey = fc.integer().map((seed) => newApiKey(bytesFrom(seed)));

/** Six digits, the highest first. */
function inBase62(value: number): string {
  const digits = Array.from({ length: 6 }, (_, place) => BASE62.charAt(Math.floor(value / 62 ** place) % 62));
  return digits.toReversed().join("");
}

describe("§2 the format of keys", () => {
  it("§2 bik_, 24 random characters of base62, which are at least 128 bits, and 6 of checksum", () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(key).toMatch(/^bik_[0-9A-Za-z]{24}[0-9A-Za-z]{6}$/);
        expect(isWellFormedApiKey(key)).toBe(true);
      }),
    );
    expect(24 * Math.log2(62)).toBeGreaterThan(128);
  });

  it("§2 the alphabet is uniform: of all values of a byte, each character takes as many", () => {
    const taken = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      // A byte that is passed over leaves the characters to the one beside it.
      const random = newApiKey(cycle([byte, 0])).slice(4, 28);
      const character = random === "0".repeat(24) && byte >= 62 * 4 ? "none" : random.charAt(0);
      taken.set(character, (taken.get(character) ?? 0) + 1);
    }
    expect(taken).toEqual(new Map([...BASE62.split("").map((character) => [character, 4] as const), ["none", 8]]));
  });

  it("§2 more bytes are asked for when some had to be passed over", () => {
    let calls = 0;
    const key = newApiKey((count) => new Uint8Array(count).fill(calls++ === 0 ? 255 : 61));
    expect([key.slice(4, 28), calls]).toEqual(["z".repeat(24), 2]);
  });
});

describe("§2 the checksum", () => {
  it("§2 is the CRC32 of the random characters, as zlib has it, in base62", () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(key.slice(-6)).toBe(inBase62(crc32(key.slice(4, 28))));
      }),
    );
  });

  it("§2 catches every change of a single character", () => {
    const key = newApiKey(bytesFrom(1));
    const passed: string[] = [];
    for (let place = 0; place < key.length; place += 1) {
      for (const character of [...BASE62.split(""), "-", "_", " ", "\u0000", "é", ""]) {
        const changed = key.slice(0, place) + character + key.slice(place + 1);
        if (changed !== key && isWellFormedApiKey(changed)) passed.push(changed);
      }
    }
    expect(passed).toEqual([]);
  });

  it("§2 decides about any text of the right form", () => {
    const junk = fc.string({ minLength: 30, maxLength: 30, unit: fc.constantFrom(...BASE62.split("")) });
    fc.assert(
      fc.property(junk, (text) => {
        const isRight = text.slice(24) === inBase62(crc32(text.slice(0, 24)));
        expect(isWellFormedApiKey(`bik_${text}`)).toBe(isRight);
      }),
    );
  });
});

describe("§2 junk", () => {
  const key = newApiKey(bytesFrom(7));
  const random = key.slice(4);
  const near = [key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, `x${key}`, random, `BIK_${random}`, `sk_${random}`];

  it.each(["", "bik_", `${key}${key}`, ...near])("§2 %j is no key", (text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });
});

it("§2 the scopes are ingest, identity, ask, read and inbox", () => {
  expect([...SCOPES]).toEqual(["ingest", "identity", "ask", "read", "inbox", "notify"]);
});
