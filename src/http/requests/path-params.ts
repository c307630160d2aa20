import * as z from "zod";

import { readIdentifier } from "../../core/ingest/identifiers.ts";

/** An external or internal id in a path. An id that no account or user can have becomes "", which nothing has. */
export const externalIdParam = (description: string) =>
  z.object({
    externalId: z
      .string()
      .transform((text) => {
        const id = readIdentifier(text);
        return id.ok ? (id.value ?? "") : "";
      })
      .meta({ minLength: 1, description }),
  });

export const idParam = (description: string) => z.string().min(1).meta({ description });
