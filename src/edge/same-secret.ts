const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));

/** Compares two secrets in constant time. Comparing digests hides their lengths too. */
export async function sameSecret(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return crypto.subtle.timingSafeEqual(left, right);
}
