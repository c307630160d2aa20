/** Measures another process: its user and system time since it began, and its resident memory; 0 when it is gone. */
import pidusage from "pidusage";

export async function usageOf(pid: number): Promise<{ processorMs: number; residentBytes: number }> {
  try {
    const { ctime, memory } = await pidusage(pid);
    return { processorMs: ctime, residentBytes: memory };
  } catch {
    return { processorMs: 0, residentBytes: 0 };
  }
}
