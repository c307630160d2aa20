/**
 * Packs a set of users' numbers as text: the gaps between them in base 32, each digit a character, which also says whether
 * another digit follows. A user takes one character if every 32nd user is in the set, and two if every 1,024th is.
 */

import type { ArchivedMessage } from "./message.ts";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE = 32;

export function packUsers(users: Iterable<number>): string {
  const packed: string[] = [];
  let last = 0;
  for (const user of [...new Set(users)].toSorted((a, b) => a - b)) {
    let gap = user - last;
    for (; gap >= BASE; gap = Math.floor(gap / BASE)) packed.push(DIGITS.charAt(BASE + (gap % BASE)));
    packed.push(DIGITS.charAt(gap));
    last = user;
  }
  return packed.join("");
}

/** Packs the users of messages who are not erased. */
export const usersIn = (messages: readonly ArchivedMessage[]): string =>
  packUsers(messages.flatMap(({ user }) => (user > 0 ? [user] : [])));

export function unpackUsers(packed: string): Set<number> {
  const users = new Set<number>();
  let [last, gap, place] = [0, 0, 1];
  for (const character of packed) {
    const digit = DIGITS.indexOf(character);
    gap += (digit % BASE) * place;
    place *= BASE;
    if (digit >= BASE) continue;
    last += gap;
    users.add(last);
    [gap, place] = [0, 1];
  }
  return users;
}
