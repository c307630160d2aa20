/**
 * In CI the properties try the same cases in every run, so that it fails for what was changed and for nothing else.
 * Elsewhere each run makes up new ones; what fails tells its seed and path.
 */
import * as fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    propertySeed: number | null;
  }
}

const seed = inject("propertySeed");
if (seed !== null) fc.configureGlobal({ seed });
