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
  /** Sends queued messages and waits for the library's report on every message. Throws the first reported error. */
  flush(): Promise<void>;
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
  const deliveries: Promise<void>[] = [];
  /** Creates the callback for one message. */
  const done = (): ((error?: unknown) => void) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    deliveries.push(promise);
    return (error) => (error === undefined || error === null ? resolve() : reject(error));
  };
  return {
    track: (message) => client.track(message, done()),
    identify: (message) => client.identify(message, done()),
    group: (message) => client.group(message, done()),
    page: (message) => client.page(message, done()),
    flush: async () => {
      await client.flush();
      await Promise.all(deliveries.splice(0));
    },
  };
}
