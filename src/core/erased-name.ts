/** Shown instead of the name of an erased user, and of that user's personal account. */
export const ERASED_NAME = "(erased)";
