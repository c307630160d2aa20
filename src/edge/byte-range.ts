/**
 * Reads a `Range` header of one range. It ignores headers that it doesn't understand, as RFC 9110 requires in section 14.
 * @returns `null` for the whole file; `unsatisfiable` for a range after its end
 */
export function readByteRange(
  header: string | undefined,
  bytes: number,
): { offset: number; length: number } | "unsatisfiable" | null {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (from === "" && to === "") return null;
  const offset = from === "" ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === "" || to === "" ? bytes : Math.min(Number(to) + 1, bytes);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null;
  return offset >= end ? "unsatisfiable" : { offset, length: end - offset };
}
