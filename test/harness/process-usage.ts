/** Measures the processor time and memory of another process. */
import pidusage from "pidusage";

const MS_PER_SECOND = 1_000;

/** @returns user and system time since the process began; 0 when it is gone */
export async function processorSeconds(pid: number): Promise<number> {
  return (await usageOf(pid)).ctime / MS_PER_SECOND;
}

/** @returns resident memory; 0 when the process is gone */
export async function residentBytes(pid: number): Promise<number> {
  return (await usageOf(pid)).memory;
}

async function usageOf(pid: number): Promise<{ ctime: number; memory: number }> {
  try {
    return await pidusage(pid);
  } catch {
    return { ctime: 0, memory: 0 };
  }
}
