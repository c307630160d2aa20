/** Gives the tests one interface to all client libraries. */

/** The user and time of a message. */
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
  /** The service's URL, without a path. */
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
  /** Sends queued messages and waits for the library's report on every message. Throws reported errors. */
  flush(): Promise<void>;
}

/** Collects a library's callbacks, one per message, to await them together. */
class Deliveries {
  #pending: Promise<void>[] = [];

  /** Creates the callback for one message. */
  next(): (error?: unknown) => void {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#pending.push(promise);
    return (error) => (error === undefined || error === null ? resolve() : reject(error));
  }

  /** @throws AggregateError with all reported errors */
  async all(): Promise<void> {
    const settled = await Promise.allSettled(this.#pending.splice(0));
    const errors = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} messages were not delivered`);
  }
}

/** The calls that all libraries have. */
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
