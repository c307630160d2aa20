/** A real bucket with faults. */
import type { Trip } from "./faulty-bindings.ts";

/** Sends each call of the bucket through `trip`. */
export function faultyBucket(bucket: R2Bucket, trip: Trip): R2Bucket {
  let count = 0;
  return new Proxy(bucket, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => trip(() => Promise.resolve(Reflect.apply(member, target, args)), ++count);
    },
  });
}

/** Lists two keys or folders a page, in place of a thousand. */
export function smallPages(bucket: R2Bucket): R2Bucket {
  const list = (options?: R2ListOptions) => bucket.list({ ...options, limit: 2 });
  return Object.assign(Object.create(bucket), { list });
}

const before = (key: string) => `before/${key}`;

/** Returns what each file was before the last time it was written, while `isStale`. */
export function staleBucket(bucket: R2Bucket, isStale: () => boolean): R2Bucket {
  const put = async (key: string, value: ArrayBuffer, options: R2PutOptions) => {
    const last = await bucket.get(key);
    const bytes = await last?.arrayBuffer();
    const written = await bucket.put(key, value, options);
    if (written === null) return null;
    const { customMetadata = {} } = last ?? {};
    await (bytes === undefined ? bucket.delete(before(key)) : bucket.put(before(key), bytes, { customMetadata }));
    return written;
  };
  const get = (key: string) => bucket.get(isStale() ? before(key) : key);
  const head = (key: string) => bucket.head(isStale() ? before(key) : key);
  return Object.assign(Object.create(bucket), { put, get, head });
}
