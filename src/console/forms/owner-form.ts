import * as z from "zod";

import { ownerName } from "../../edge/schemas/owner.ts";

/** The field of an owner. An empty one removes the owner. */
export const ownerOrNone = z.union([
  z
    .string()
    .regex(/^\s*$/)
    .transform(() => null),
  ownerName,
]);
