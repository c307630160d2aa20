/** With `PROPERTY_SEED` the properties try the same cases in every run; without it each run makes up new ones. */
import * as fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    propertySeed: number | null;
  }
}

export const propertySeed = inject("propertySeed");
if (propertySeed !== null) fc.configureGlobal({ seed: propertySeed });
