/**
 * The origins that may use a browser key: docs/wire/browsers.md §19. An entry is an origin as browsers send it, such as
 * `https://app.example.com`, or `https://*.example.com` for every subdomain.
 */
const MAX_ORIGIN_CHARS = 300;
const LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
/** The scheme, the wildcard, the host and the port. */
const FORM = new RegExp(`^(https?)://(\\*\\.)?((?:${LABEL}\\.)*${LABEL})(?::([1-9]\\d{0,4}))?$`);
const LOCAL_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1"]);
const DEFAULT_PORTS: Readonly<Record<string, string>> = { https: "443", http: "80" };

/** @returns the entry as it is compared, in lower case and without a default port; or what is wrong with it */
export function readOrigin(text: string): { origin: string } | { message: string } {
  const [, scheme = "", wildcard = "", host = "", port = ""] = FORM.exec(text.toLowerCase()) ?? [];
  if (scheme === "" || text.length > MAX_ORIGIN_CHARS || Number(port) > 65_535)
    return { message: "must be an origin such as https://app.example.com or https://*.example.com, without a path" };
  if (scheme === "http" && !(LOCAL_HOSTS.has(host) && wildcard === ""))
    return { message: "must begin with https://, except for localhost and 127.0.0.1" };
  if (wildcard !== "" && !host.includes(".")) return { message: "must have a domain after `*.`, such as example.com" };
  const isDefault = port === "" || port === DEFAULT_PORTS[scheme];
  return { origin: `${scheme}://${wildcard}${host}${isDefault ? "" : `:${port}`}` };
}

/** @param origin the header of a request; `null` without one */
export function allowsOrigin(entries: readonly string[], origin: string | null): boolean {
  if (origin === null) return false;
  return entries.some((entry) => {
    const [scheme = "", domain] = entry.split("*");
    if (domain === undefined) return entry === origin;
    // What the wildcard stands for. Browsers send hosts in lower case.
    const subdomain = origin.slice(scheme.length, -domain.length);
    return origin === `${scheme}${subdomain}${domain}` && SUBDOMAIN.test(subdomain);
  });
}

const SUBDOMAIN = new RegExp(`^(?:${LABEL}\\.)*${LABEL}$`);
