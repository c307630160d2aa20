/** A moment as the wire writes it, ISO 8601 in UTC. */
export const iso = (ms: number): string => new Date(ms).toISOString();
