/** Declares the part of the library that the tests use: it has no types. */
declare module "analytics-node" {
  import type { Group, Identify, Sent, Track } from "./sender.ts";

  interface Options {
    host?: string;
    flushAt?: number;
    /** Called for a batch that could not be sent. Without it, a promise that nothing awaits rejects. */
    errorHandler?: (error: unknown) => void;
  }
  type Callback = (error?: Error) => void;

  export default class Analytics {
    constructor(writeKey: string, options?: Options);
    track(message: Track, callback?: Callback): this;
    identify(message: Identify, callback?: Callback): this;
    group(message: Group, callback?: Callback): this;
    page(message: Sent, callback?: Callback): this;
    flush(): Promise<unknown>;
  }
}
