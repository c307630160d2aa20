/** Writes of many messages. */
import { chance, pick, pickWeighted, wholeBetween } from "../../../evals/simulator/random.ts";
import { cdpMessage, contentOf, messageIdOf, type World } from "./content.ts";
import { nothing, type Numbers, type Outcome } from "./ledger.ts";
import { one, write, type Write, type Writer, type Writes } from "./write.ts";

const TOO_LARGE_CHARS = 17_000;

/** The same batch twice at the same time. */
export function twins(writer: Writer): Writes {
  const { ledger, world } = writer;
  const numbers = Array.from({ length: wholeBetween(writer.random, 1, 15) }, () => ledger.reserve("cdp"));
  const messages = numbers.map((number) => cdpMessage(contentOf(world, "cdp", number), messageIdOf(number)));
  const twin = () => batchOf(writer, messages, { source: "cdp", numbers });
  return {
    requests: [twin(), twin()],
    expected: { ...nothing(), stored: numbers.length, duplicates: numbers.length },
  };
}

/** Of everything: new messages, old ones, repeats within it, and what is rejected. */
export function batch(writer: Writer, size: number): Writes {
  const draft: Draft = { ...writer, expected: nothing(), fresh: [] };
  const messages = Array.from({ length: size }, () =>
    (ITEMS[pickWeighted(writer.random, WEIGHTS)]?.[1] ?? fresh)(draft),
  );
  return one(batchOf(writer, messages, { source: "cdp", numbers: draft.fresh }), draft.expected);
}

interface Draft extends Writer {
  expected: Outcome;
  /** The numbers of its new messages. */
  fresh: number[];
}

/** How often each comes, of 100. */
const ITEMS: readonly (readonly [weight: number, make: (draft: Draft) => object])[] = [
  [88.45, fresh],
  [6, (draft) => again(draft, draft.ledger.pickAcknowledged(draft.random, "cdp"))],
  [2, (draft) => again(draft, draft.fresh[wholeBetween(draft.random, 0, draft.fresh.length)] ?? null)],
  [1.5, rejected("unsupported_type", { type: "screen", userId: "user-1" })],
  [1, rejected("invalid_message", { type: "track", messageId: "nobody's", event: "Login" })],
  [1, rejected("invalid_message", { type: "group", messageId: "no group", userId: "user-2" })],
  [0.05, rejected("message_too_large", { type: "track", userId: "user-3", event: "x".repeat(TOO_LARGE_CHARS) })],
];
const WEIGHTS = ITEMS.map(([weight]) => weight);

function fresh({ ledger, world, expected, fresh: numbers }: Draft): object {
  const number = ledger.reserve("cdp");
  numbers.push(number);
  expected.stored += 1;
  return cdpMessage(contentOf(world, "cdp", number), messageIdOf(number));
}

/** Some duplicates say something else: the first one stands. */
function again(draft: Draft, number: number | null): object {
  if (number === null) return fresh(draft);
  const { random, world, expected } = draft;
  expected.duplicates += 1;
  const messageId = messageIdOf(number);
  return chance(random, 0.3) ? { ...unlike(world), messageId } : cdpMessage(contentOf(world, "cdp", number), messageId);
}

function rejected(code: string, message: object): (draft: Draft) => object {
  return ({ expected }) => {
    expected.rejected[code] = (expected.rejected[code] ?? 0) + 1;
    return message;
  };
}

/** What no message of a number says: a duplicate with it must change nothing. */
const unlike = ({ epoch }: World): object => ({
  type: "track",
  userId: "somebody-else",
  event: "Something Else",
  timestamp: new Date(epoch).toISOString(),
});

function batchOf(writer: Writer, messages: object[], numbers: Numbers): Write {
  const { random } = writer;
  const body = pick<object>(random, [{ batch: messages }, messages, { batch: messages.map((json) => ({ json })) }]);
  const path = pick(random, ["/v1/batch", "/api/v1/cdp", "/v1/b"]);
  return write(writer, { kind: "batch", path, body, cost: messages.length, numbers });
}
