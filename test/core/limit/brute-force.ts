/**
 * The write limit in its simplest form: a list with an entry per message, which tries every moment. Its windows are a
 * few milliseconds long, to keep it fast.
 */
export function bruteForce(windowMs: number) {
  let log: number[] = [];

  const load = (end: number) => log.filter((at) => at > end - windowMs && at <= end).length;
  const free = (at: number, limit: number) => {
    let highest = 0;
    for (let end = at; end < at + windowMs; end += 1) highest = Math.max(highest, load(end));
    return Math.max(0, limit - highest);
  };
  const last = () => Math.max(-Infinity, ...log);

  return {
    free,
    last,
    load,
    /** Returns the moment of each message, or how long the request has to wait. */
    consume(cost: number, now: number, limit: number): number[] | { wait: number } {
      const needed = cost > limit ? 1 : cost;
      if (free(now, limit) < needed) {
        let lastBlocked = last() + windowMs;
        while (free(lastBlocked, limit) >= needed) lastBlocked -= 1;
        return { wait: lastBlocked + 1 - now };
      }
      const moments: number[] = [];
      while (moments.length < cost) {
        let at = now;
        while (free(at, limit) < 1) at += 1;
        log.push(at);
        moments.push(at);
      }
      return moments;
    },
    refund(moments: number[]): void {
      for (const moment of moments) log = log.toSpliced(log.indexOf(moment), 1);
    },
  };
}
