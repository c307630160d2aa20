const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));

/** Compares digests, so that the time taken reveals neither the length of a secret nor how much of a guess was right. */
export async function sameSecret(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return crypto.subtle.timingSafeEqual(left, right);
}
