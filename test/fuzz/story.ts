/** Something for cases to read, mark and ask about: two months of a few companies, one of which falls silent. */
const DAY_MS = 86_400_000;
const DAYS = 60;
const COMPANIES = 12;
const SILENT_SINCE_DAYS = 14;

/** In what is told to a workspace: it stands in no answer to another one. */
export const tenantMark = (workspace: string): string => `told to ${workspace} alone`;

export async function tellStory(
  url: string,
  { id, key }: { id: string; key: string },
  now = Date.now(),
): Promise<void> {
  const messages = Array.from({ length: COMPANIES }, (_, company) => storyOf(company, tenantMark(id), now)).flat();
  for (let at = 0; at < messages.length; at += 500) {
    const batch = messages.slice(at, at + 500);
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/api/v1/cdp`, { method: "POST", headers, body: JSON.stringify({ batch }) });
    if (response.status !== 200) throw new Error(`the story is not taken: ${await response.text()}`);
  }
}

function storyOf(company: number, mark: string, now: number): object[] {
  const groupId = `company-${company}`;
  const at = (days: number) => new Date(now - days * DAY_MS).toISOString();
  const trial = company % 4 === 3 ? { stage: "trial", trialEndsAt: at(-3 - company) } : { stage: "active" };
  const traits = {
    ...trial,
    plan: company % 2 === 0 ? "pro" : "basic",
    seats: 4,
    mrr: 100 * company,
    currency: "EUR",
    industry: "steel",
    mark,
  };
  const users = [company, company + COMPANIES, company + 2 * COMPANIES].map((number) => `u${number}`);
  const groups = users.map((userId) => ({ type: "group", userId, groupId, traits, timestamp: at(DAYS) }));
  const days = Array.from({ length: DAYS }, (_, back) => back).filter(
    (back) => company !== 1 || back > SILENT_SINCE_DAYS,
  );
  const tracks = days.flatMap((back) =>
    users.map((userId, index) => ({
      type: "track",
      userId,
      event: index === 0 ? "Report Exported" : "login",
      properties: { mark },
      timestamp: at(back),
    })),
  );
  const rejected = { type: "track", userId: users[0], event: "", properties: { mark } };
  return [...groups, ...tracks, rejected];
}
