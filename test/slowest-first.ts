/**
 * Starts the slowest files first, so that none of them runs alone at the end. Where Vitest hasn't run before, it takes the
 * largest files for the slowest.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files that take a minute or more. */
const SLOW = ["workers/security/tenant-crossing", "workers/recompute/crash", "workers/moves/crashes"];

const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((name) => moduleId.endsWith(`/${name}.test.ts`));

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort, typescript/require-array-sort-compare -- a sequencer's own method
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
