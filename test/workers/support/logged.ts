/** What the service logs during a request. */
import { vi } from "vitest";

import type { Answer } from "./send.ts";

/** Sends a request, and returns what was logged during it, at any level. */
export async function logged(
  make: () => Promise<Answer>,
): Promise<{ answer: Answer; lines: string[]; line: Record<string, unknown> }> {
  const lines: string[] = [];
  for (const level of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation(
      (...values: unknown[]) => void lines.push(values.map(String).join(" ")),
    );
  }
  const answer = await make();
  vi.restoreAllMocks();
  const line: Record<string, unknown> = JSON.parse(lines[0] ?? "{}");
  return { answer, lines, line };
}
