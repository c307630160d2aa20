/** What the tests ask of a client library, whichever it is. */

/** Identifiers and time of a message; the libraries take the time as a Date. */
export interface Sent {
  userId: string;
  timestamp: Date;
}

export interface Track extends Sent {
  event: string;
  properties: Record<string, string | number>;
  context?: { groupId: string };
}

export interface Identify extends Sent {
  traits: Record<string, string | number>;
}

export interface Group extends Identify {
  groupId: string;
}

export interface SenderOptions {
  /** The service, without a path: what a user of the library changes. */
  url: string;
  writeKey: string;
  /** Messages in a batch. */
  flushAt: number;
}

export interface Sender {
  track(message: Track): void;
  identify(message: Identify): void;
  group(message: Group): void;
  page(message: Sent): void;
  /** Sends what is still queued, and waits for the library's word on every message so far. Throws what it reported. */
  flush(): Promise<void>;
}

/** Collects a library's callbacks, one a message, so that they can be waited for together. */
class Deliveries {
  #pending: Promise<void>[] = [];

  /** A callback for one message. */
  next(): (error?: unknown) => void {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#pending.push(promise);
    return (error) => (error === undefined || error === null ? resolve() : reject(error));
  }

  /** @throws AggregateError with everything that was reported */
  async all(): Promise<void> {
    const settled = await Promise.allSettled(this.#pending.splice(0));
    const errors = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} messages were not delivered`);
  }
}

/** What the libraries have in common. */
interface Client {
  track(message: Track, done: (error?: unknown) => void): unknown;
  identify(message: Identify, done: (error?: unknown) => void): unknown;
  group(message: Group, done: (error?: unknown) => void): unknown;
  page(message: Sent, done: (error?: unknown) => void): unknown;
  flush(): Promise<unknown>;
}

export function senderOf(client: Client): Sender {
  const deliveries = new Deliveries();
  return {
    track: (message) => client.track(message, deliveries.next()),
    identify: (message) => client.identify(message, deliveries.next()),
    group: (message) => client.group(message, deliveries.next()),
    page: (message) => client.page(message, deliveries.next()),
    flush: async () => {
      await client.flush();
      await deliveries.all();
    },
  };
}
