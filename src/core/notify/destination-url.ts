/**
 * Checks the form of a destination's URL (docs/wire/notifications.md §23). A Worker can't resolve a name before it sends, so
 * only plain public DNS names pass. The form is stricter than what URL parsers accept: they read `0x7f.1`, full-width digits
 * and tabs as an address, and two parsers may disagree about the rest.
 */
const MAX_URL_CHARS = 2_000;
const MAX_HOST_CHARS = 253;

const FORM = /^(https?):\/\/(\[[^\]/?#]*\]|[^:/?#]*)(?::([^/?#]*))?([/?].*)?$/i;
/** Has at least one dot, and a top-level domain of letters, unlike every notation of an IPv4 address. */
const DNS_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;
/** Names that only resolve in a private network, or never: RFC 6761, RFC 6762, RFC 7686, RFC 8375 and common use. */
const LOCAL_NAME =
  /\.(?:localhost|localdomain|localdev|local|internal|svc|cluster|docker|consul|intranet|private|lan|home|corp|arpa|test|invalid|example|onion|alt)$/;
/** Clouds serve credentials of a machine under such names. */
const METADATA_NAME = /^(?:metadata|instance-data)\./;
const LOOPBACK = /^(?:localhost|127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[::1\])$/;

/** A URL that passed, in lower case up to its path. */
export interface DestinationUrl {
  href: string;
  origin: string;
}

/**
 * @param allowLoopback whether `http` and any port are allowed on loopback, as in tests of receivers on a laptop
 * @returns the URL, or what is wrong with it, to follow the name of the field
 */
export function checkDestinationUrl(
  text: string,
  { allowLoopback }: { allowLoopback: boolean },
): { url: DestinationUrl } | { message: string } {
  if (text.length > MAX_URL_CHARS) return { message: `must have at most ${MAX_URL_CHARS} characters` };
  if (!/^[\x21-\x7e]*$/.test(text))
    return { message: "must have no spaces and only ASCII characters (write an international name as xn--…)" };
  if (/[\\"<>^`{|}]/.test(text)) return { message: "must be percent-encoded" };
  if (text.includes("#")) return { message: "must have no fragment" };
  const [, scheme = "", givenHost = "", port, path = ""] = FORM.exec(text) ?? [];
  if (scheme === "") return { message: allowLoopback ? "must be an http or https URL" : "must begin with https://" };
  // A colon in credentials would look like one before a port.
  if (/^[^/?]*@/.test(text.slice(scheme.length + 3))) return { message: "must have no user name or password" };
  const host = givenHost.toLowerCase();
  const isSecure = scheme.toLowerCase() === "https";
  if (allowLoopback && LOOPBACK.test(host)) {
    if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535))
      return { message: "must have a port from 1 to 65535" };
    return { url: urlOf(`${scheme.toLowerCase()}://${host}${port === undefined ? "" : `:${port}`}`, path) };
  }
  if (!isSecure) return { message: "must begin with https://" };
  if (port !== undefined && port !== "443") return { message: "must use port 443" };
  if (!DNS_NAME.test(host) || host.length > MAX_HOST_CHARS)
    return { message: "must have a public DNS name as its host, such as hooks.example.com, and no IP address" };
  if (LOCAL_NAME.test(host) || METADATA_NAME.test(host)) return { message: "must not have a local name as its host" };
  return { url: urlOf(`https://${host}`, path) };
}

const urlOf = (origin: string, path: string): DestinationUrl => ({
  href: `${origin}${path.startsWith("/") ? "" : "/"}${path}`,
  origin,
});
