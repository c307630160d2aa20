/** Traits may be hundreds. */
const MAX_LISTED = 50;

/**
 * Lists what a field may be, as the end of an error, so that a caller can repair a query at once.
 * @param given what it is instead: names that contain it come first
 */
export function allowed(names: readonly string[], given = "\0"): string {
  const isLike = (name: string) => Number(name.includes(given));
  const listed = names.toSorted((a, b) => isLike(b) - isLike(a)).slice(0, MAX_LISTED);
  const rest = names.length - listed.length;
  return `: use ${listed.join(", ")}${rest === 0 ? "" : `, or one of ${rest} other dimensions`}`;
}
