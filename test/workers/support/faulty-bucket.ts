/** A real bucket whose calls go through a `Trip`. */
import type { Trip } from "./faulty-bindings.ts";

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
