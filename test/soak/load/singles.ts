/** Writes of one message, and of none. */
import { newApiKey } from "../../../src/core/api-key.ts";
import { chance, pick, wholeBetween } from "../../../evals/simulator/random.ts";
import { captureBody, cdpMessage, contentOf, messageIdOf, USERS } from "./content.ts";
import { nothing, type Outcome } from "./ledger.ts";
import { one, write, type Writer, type Writes } from "./write.ts";

const MAX_BATCH_MESSAGES = 1_000;

export function capture(writer: Writer): Writes {
  return captureOf(writer, writer.ledger.reserve("native"), { ...nothing(), stored: 1 });
}

export function repeatedCapture(writer: Writer): Writes {
  const number = writer.ledger.pickAcknowledged(writer.random, "native");
  return number === null ? capture(writer) : captureOf(writer, number, { ...nothing(), duplicates: 1 });
}

function captureOf(writer: Writer, number: number, expected: Outcome): Writes {
  const body = captureBody(contentOf(writer.world, "native", number));
  const path = pick(writer.random, ["/api/v1/events", "/api/events"]);
  const headers = { "idempotency-key": messageIdOf(number) };
  return one(
    write(writer, { path, headers, body, cost: 1, numbers: { source: "native", numbers: [number] } }),
    expected,
  );
}

/** A message of any type, at one of the paths that take it. */
export function track(writer: Writer): Writes {
  const { ledger, random, world } = writer;
  const number = ledger.reserve("cdp");
  const content = contentOf(world, "cdp", number);
  const path = pick(random, ["/api/v1/cdp", "/api/cdp", `/v1/${content.type}`, `/v1/${content.type.charAt(0)}`]);
  const body = cdpMessage(content, messageIdOf(number));
  const numbers = { source: "cdp", numbers: [number] } as const;
  return one(write(writer, { path, body, cost: 1, numbers }), { ...nothing(), stored: 1 });
}

export function lonePage(writer: Writer): Writes {
  const body = { type: "page", userId: "user-1", messageId: "page", name: "Home" };
  return one(write(writer, { path: "/v1/page", body, cost: 1 }), { ...nothing(), rejected: { unsupported_type: 1 } });
}

export function loneInvalid(writer: Writer): Writes {
  const body = { type: "track", messageId: "invalid", userId: { id: 1 }, event: "Login" };
  const expected = { ...nothing(), rejected: { invalid_message: 1 } };
  return one(write(writer, { path: "/v1/track", body, cost: 1, status: 400 }), expected);
}

export function invalidCapture(writer: Writer): Writes {
  const body = { accountId: "account-1", userId: "user-1", event: "Not Dotted" };
  return one(write(writer, { path: "/api/v1/events", body, cost: 1, status: 400 }), nothing());
}

/** Of someone known, of someone unknown, or without the agreement. */
export function identity(writer: Writer): Writes {
  const { ledger, random, world, agreed } = writer;
  const number = ledger.pickAcknowledged(random, "native");
  const known = number === null || chance(random, 0.1) ? null : contentOf(world, "native", number).userId;
  const userId = known ?? `nobody-${wholeBetween(random, 0, USERS)}`;
  const body = { userId, traits: { name: `Jo Doe ${userId}`, email: `${userId}@acme.example` } };
  const status = !agreed ? 403 : known === null ? 404 : 200;
  return one(write(writer, { path: "/api/v1/identity", body, cost: agreed ? 1 : 0, status }), nothing());
}

/** What is refused before it is charged. */
export function uncharged(writer: Writer): Writes {
  const { random } = writer;
  const body = { type: "track", userId: "user-1", event: "Never Stored" };
  const path = "/v1/batch";
  const tooMany = { batch: Array.from({ length: MAX_BATCH_MESSAGES + 1 }, () => body) };
  const strange = `Bearer ${newApiKey((count) => Uint8Array.from({ length: count }, () => wholeBetween(random, 0, 247)))}`;
  const requests = [
    write(writer, { path, body, cost: 0, status: 401, headers: { authorization: "Bearer bik_wrong" } }),
    write(writer, { path, body, cost: 0, status: 401, headers: { authorization: strange } }),
    { ...write(writer, { path, body, cost: 0, status: 400 }), body: '{"batch":[' },
    write(writer, { path, body: tooMany, cost: 0, status: 413 }),
  ] as const;
  return one(pick(random, requests), nothing());
}
