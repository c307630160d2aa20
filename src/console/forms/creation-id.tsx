/**
 * Makes a form that creates something work once. Each rendered form carries a random id, and what it creates gets that
 * id. Reloading the page that follows sends the form again, which then finds the existing one and creates nothing.
 */
import type { FC } from "hono/jsx";
import * as z from "zod";

import { hex } from "../../core/hex.ts";

const ID_BYTES = 12;

/** The field as its form sends it: the random part of the new id. */
export const creationId = z.string().regex(/^[0-9a-f]{24}$/);

export const CreationId: FC = () => (
  <input type="hidden" name="creationId" value={hex(crypto.getRandomValues(new Uint8Array(ID_BYTES)))} />
);
