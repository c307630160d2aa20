import type { WritePolicy } from "./write-window.ts";

/** Messages per workspace and window, unless one is set for the workspace. */
export const DEFAULT_WRITE_LIMIT = 100;

/** The length of the sliding window, in milliseconds. */
export const WRITE_WINDOW_MS = 10_000;

/** So long at most a refusal may be repeated without asking again, in milliseconds. Changes of the limit take as long to answer. */
export const REFUSAL_STANDS_MS = 100;

/** More refusals of a workspace than that within `REFUSAL_STANDS_MS` are a flood. */
export const MOST_REFUSALS = 10;

/** Tries to sign in to the console, of one address. */
export const SIGN_IN_POLICY: WritePolicy = { limit: 10, windowMs: 60_000 };
