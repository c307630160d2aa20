import * as z from "zod";

import type { ConsoleUser } from "../../db/workspaces/find-workspace.ts";
import { ownName } from "../../edge/actor-name.ts";
import { ownerName } from "../../edge/schemas/owner.ts";

/** The field of an owner. An empty one removes the owner. A button sends its own value after the field's. */
export const ownerOrNone = z.preprocess(
  (value: unknown) => (Array.isArray(value) ? value.at(-1) : value),
  z.union([
    z
      .string()
      .regex(/^\s*$/)
      .transform(() => null),
    ownerName,
  ]),
);

/** The filter for accounts of the person who looks at them. So addresses and saved views name nobody. */
export const MINE = "(me)";

export const ownerAsked = (user: ConsoleUser, owner: string | undefined): string | undefined =>
  owner === MINE ? (ownName(user) ?? MINE) : owner;
