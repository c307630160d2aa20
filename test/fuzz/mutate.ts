/** Makes requests of the fuzzer from correct ones: mostly changed in one way, sometimes in several, rarely not at all. */
import * as fc from "fast-check";

import { bodyChange, changedBody } from "./body-changes.ts";
import { bytesChange, encoding, gzip, identity } from "./byte-changes.ts";
import { headChange } from "./head-changes.ts";
import type { FuzzRequest, Seed } from "./request.ts";
import type { Workspaces } from "./service.ts";

export function mutated(seeds: fc.Arbitrary<Seed>, workspaces: Workspaces): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      seed: seeds,
      body: sometimes(50, bodyChange),
      bytes: sometimes(10, bytesChange),
      encodings: sometimes(15, encoding),
      head: sometimes(30, headChange(workspaces)),
      chunked: sometimes(10, fc.constant(true)),
      hangUps: sometimes(2, fc.nat(400)),
    })
    .map(({ seed, body, bytes, encodings: [encode], head, chunked, hangUps: [hangUpAfter = Infinity] }) => {
      const plain =
        seed.body === null ? null : bytes.reduce((all, change) => change(all), changedBody(seed.body, body));
      const [name, encoded] = plain === null ? [null, null] : (encode ?? (seed.gzip === true ? gzip : identity))(plain);
      const request: FuzzRequest = {
        method: seed.method,
        target: seed.target,
        headers: Object.entries({ ...seed.headers, ...(name === null ? {} : { "Content-Encoding": name }) }),
        body: encoded,
        chunked: chunked.length > 0,
        hangUpAfter: hangUpAfter < (encoded?.length ?? 0) ? hangUpAfter : null,
      };
      for (const change of head) change(request);
      return request;
    });
}

/** @returns one to three in this percentage of cases, and otherwise none */
const sometimes = <T>(percent: number, change: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> =>
  fc.oneof(
    { weight: 100 - percent, arbitrary: fc.constant([]) },
    { weight: percent, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
  );
