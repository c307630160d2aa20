/** In place of the name of somebody who was erased, and of the account that was theirs alone. */
export const ERASED_NAME = "(erased)";
