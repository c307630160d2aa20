/** The part of Node's `zlib` that the Worker uses. All of Node's types would declare globals that Workers lack. */
declare module "node:zlib" {
  export function gunzipSync(data: ArrayBuffer, options: { maxOutputLength: number }): Uint8Array;
}
