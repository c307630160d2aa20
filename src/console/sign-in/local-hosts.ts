/** The hosts that only this machine can reach. Sign-in links work on no other host. */
const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const isLocal = (url: URL): boolean => LOCAL_HOSTS.has(url.hostname);
