/** Generates writes, each with the outcome that the service has to answer. */
import { chance, pick, pickWeighted, type Random, wholeBetween } from "../../evals/simulator/random.ts";
import type { Request } from "./client.ts";
import { captureBody, cdpMessage, contentOf, messageIdOf, type Source, type World } from "./content.ts";
import { type Ledger, noOutcome, type Outcome } from "./ledger.ts";

export interface Write extends Request {
  status: 200 | 400;
  /** Messages that the write limit charges. */
  cost: number;
  source: Source;
  /** New messages, which are stored when the write is answered. */
  numbers: readonly number[];
}

/** Writes that are sent at the same time, and their outcomes added up. */
export interface Writes {
  writes: Write[];
  expected: Outcome;
}

export interface Writer {
  world: World;
  key: string;
  ledger: Ledger;
  random: Random;
}

const TOO_LARGE_CHARS = 17_000;

/** How often each kind is written. */
const KINDS: readonly (readonly [weight: number, create: (writer: Writer) => Writes])[] = [
  [300, capture],
  [50, repeatedCapture],
  [150, track],
  [20, invalidTrack],
  [40, twins],
  [280, (writer) => batch(writer, 15)],
  [66, (writer) => batch(writer, 100)],
  [4, (writer) => batch(writer, 1_000)],
];
const WEIGHTS = KINDS.map(([weight]) => weight);

export const nextWrites = (writer: Writer): Writes =>
  (KINDS[pickWeighted(writer.random, WEIGHTS)]?.[1] ?? capture)(writer);

function capture(writer: Writer): Writes {
  return captureOf(writer, writer.ledger.newNumber("native"), { ...noOutcome(), stored: 1 });
}

function repeatedCapture(writer: Writer): Writes {
  const number = writer.ledger.pickAcknowledged(writer.random, "native");
  return number === null ? capture(writer) : captureOf(writer, number, { ...noOutcome(), duplicates: 1 });
}

function captureOf(writer: Writer, number: number, expected: Outcome): Writes {
  const path = pick(writer.random, ["/api/v1/events", "/api/events"]);
  const write = request(writer, path, captureBody(contentOf(writer.world, "native", number)));
  write.headers["idempotency-key"] = messageIdOf(number);
  return { writes: [{ ...write, source: "native", numbers: [number] }], expected };
}

function track(writer: Writer): Writes {
  const number = writer.ledger.newNumber("cdp");
  const content = contentOf(writer.world, "cdp", number);
  const path = pick(writer.random, ["/api/v1/cdp", "/api/cdp", `/v1/${content.type}`]);
  const write = request(writer, path, cdpMessage(content, messageIdOf(number)));
  return { writes: [{ ...write, numbers: [number] }], expected: { ...noOutcome(), stored: 1 } };
}

function invalidTrack(writer: Writer): Writes {
  const body = { type: "track", messageId: "invalid", userId: { id: 1 }, event: "Login" };
  const expected = { ...noOutcome(), rejected: { invalid_message: 1 } };
  return { writes: [{ ...request(writer, "/v1/track", body), status: 400 }], expected };
}

/** The same batch twice at the same time: one of the two stores each message. */
function twins(writer: Writer): Writes {
  const { ledger, random, world } = writer;
  const numbers = Array.from({ length: wholeBetween(random, 1, 15) }, () => ledger.newNumber("cdp"));
  const messages = numbers.map((number) => cdpMessage(contentOf(world, "cdp", number), messageIdOf(number)));
  const twin = () => ({ ...request(writer, "/v1/batch", { batch: messages }, messages.length), numbers });
  return {
    writes: [twin(), twin()],
    expected: { ...noOutcome(), stored: numbers.length, duplicates: numbers.length },
  };
}

/** New messages, duplicates of stored ones and of each other, and messages that are rejected. */
function batch(writer: Writer, size: number): Writes {
  const draft: Draft = { ...writer, expected: noOutcome(), fresh: [] };
  const messages = Array.from({ length: size }, () =>
    (ITEMS[pickWeighted(writer.random, ITEM_WEIGHTS)]?.[1] ?? fresh)(draft),
  );
  const body = pick<object>(writer.random, [{ batch: messages }, messages, messages.map((json) => ({ json }))]);
  const path = pick(writer.random, ["/v1/batch", "/api/v1/cdp", "/v1/b"]);
  const write = { ...request(writer, path, body, size), numbers: draft.fresh };
  return { writes: [write], expected: draft.expected };
}

interface Draft extends Writer {
  expected: Outcome;
  /** Numbers of its new messages. */
  fresh: number[];
}

const ITEMS: readonly (readonly [weight: number, create: (draft: Draft) => object])[] = [
  [88.45, fresh],
  [6, (draft) => duplicate(draft, draft.ledger.pickAcknowledged(draft.random, "cdp"))],
  [2, (draft) => duplicate(draft, draft.fresh[wholeBetween(draft.random, 0, draft.fresh.length)] ?? null)],
  [1.5, rejected("unsupported_type", { type: "screen", userId: "user-1" })],
  [1, rejected("invalid_message", { type: "track", messageId: "no user", event: "Login" })],
  [1, rejected("invalid_message", { type: "group", messageId: "no group", userId: "user-2" })],
  [0.05, rejected("message_too_large", { type: "track", userId: "user-3", event: "x".repeat(TOO_LARGE_CHARS) })],
];
const ITEM_WEIGHTS = ITEMS.map(([weight]) => weight);

function fresh({ ledger, world, expected, fresh: numbers }: Draft): object {
  const number = ledger.newNumber("cdp");
  numbers.push(number);
  expected.stored += 1;
  return cdpMessage(contentOf(world, "cdp", number), messageIdOf(number));
}

/** Some duplicates have other content: the first one counts. */
function duplicate(draft: Draft, number: number | null): object {
  if (number === null) return fresh(draft);
  draft.expected.duplicates += 1;
  const messageId = messageIdOf(number);
  return chance(draft.random, 0.3)
    ? { type: "track", userId: "somebody-else", event: "Something Else", messageId }
    : cdpMessage(contentOf(draft.world, "cdp", number), messageId);
}

function rejected(code: string, message: object): (draft: Draft) => object {
  return ({ expected }) => {
    expected.rejected[code] = (expected.rejected[code] ?? 0) + 1;
    return message;
  };
}

const request = ({ key }: Writer, path: string, body: object, cost = 1): Write => ({
  method: "POST",
  path,
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify(body),
  status: 200,
  cost,
  source: "cdp",
  numbers: [],
});
