/**
 * Generates the id of a message that was sent without one: a UUID of version 7 (RFC 9562), which begins with the time.
 * Consecutive ids are neighbors in the index, so a commit writes one page of it instead of many.
 *
 * @param now milliseconds since the epoch
 */
export function newMessageId(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
