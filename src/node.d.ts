/** The parts of Node's modules that the Worker uses. All of Node's types would declare globals that Workers lack. */
declare module "node:zlib" {
  export function gunzipSync(data: ArrayBuffer, options: { maxOutputLength: number }): Uint8Array;
}

declare module "node:async_hooks" {
  export class AsyncLocalStorage<Store> {
    run<Result>(store: Store, work: () => Result): Result;
    getStore(): Store | undefined;
  }
}
