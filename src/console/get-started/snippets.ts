/** What to paste for sending a first event. The tests run each snippet. */

/** The placeholder for the key, which only the page that creates it can show. */
export const KEY_PLACEHOLDER = "YOUR_KEY";
/** Of the signing secret, likewise. */
export const SECRET_PLACEHOLDER = "YOUR_SIGNING_SECRET";

export interface SnippetValues {
  /** Of this service, as `https://ingest.example.com`. */
  origin: string;
  /** An API key, or a placeholder. */
  key: string;
  /** When the contract of the example ends, as `2027-06-30T00:00:00Z`. */
  contractEnd: string;
}

export const curlSnippet = ({ origin, key, contractEnd }: SnippetValues): string =>
  `curl ${origin}/api/v1/events \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"accountId": "acme", "userId": "u1",
       "event": "report.exported",
       "accountPlan": "Pro", "accountSeats": 20,
       "accountMrr": 1200, "accountCurrency": "EUR",
       "accountStage": "customer",
       "accountContractEndsAt": "${contractEnd}"}'`;

export const pythonSnippet = ({ origin, key, contractEnd }: SnippetValues): string =>
  `import json
from urllib.request import Request, urlopen

event = {
    "accountId": "acme",
    "userId": "u1",
    "event": "report.exported",
    "accountPlan": "Pro",
    "accountSeats": 20,
    "accountMrr": 1200,
    "accountCurrency": "EUR",
    "accountStage": "customer",
    "accountContractEndsAt": "${contractEnd}",
}
headers = {
    "Authorization": "Bearer ${key}",
    "Content-Type": "application/json",
}
url = "${origin}/api/v1/events"
data = json.dumps(event).encode()
print(urlopen(Request(url, data, headers)).read().decode())`;

/** The attributes of an account in JavaScript. */
const traits = (contractEnd: string): string => `{
    plan: "Pro",
    seats: 20,
    mrr: 1200,
    currency: "EUR",
    stage: "customer",
    contractEndsAt: "${contractEnd}",
  }`;

export const segmentSnippet = ({ origin, key, contractEnd }: SnippetValues): string =>
  `import { Analytics } from "@segment/analytics-node";

const analytics = new Analytics({
  writeKey: "${key}",
  host: "${origin}",
});

analytics.group({
  userId: "u1",
  groupId: "acme",
  traits: ${traits(contractEnd)},
});
analytics.track({ userId: "u1", event: "Report Exported" });

await analytics.closeAndFlush();`;

export const rudderSnippet = ({ origin, key, contractEnd }: SnippetValues): string =>
  `import Analytics from "@rudderstack/rudder-sdk-node";

const analytics = new Analytics("${key}", {
  dataPlaneUrl: "${origin}",
});

analytics.group({
  userId: "u1",
  groupId: "acme",
  traits: ${traits(contractEnd)},
});
analytics.track({ userId: "u1", event: "Report Exported" });

await analytics.flush();`;

/** Of both browser libraries. */
const SIGNED_IN = `// Who is signed in.
const userId = "u1";
const accountId = "acme";`;

const sentFromPage = (contractEnd: string): string => `analytics.identify(userId);
analytics.group(accountId, ${traits(contractEnd).replaceAll("\n  ", "\n")});
analytics.track("Report Exported");`;

/** Requests overtake each other, so each message names its account. */
export const analyticsJsSnippet = ({ origin, key, contractEnd }: SnippetValues): string =>
  `import { AnalyticsBrowser } from "@segment/analytics-next";

${SIGNED_IN}

const analytics = AnalyticsBrowser.load({
  writeKey: "${key}",
  cdnURL: "${origin}",
});
analytics.addSourceMiddleware(({ payload, next }) => {
  const { context } = payload.obj;
  payload.obj.context = { ...context, groupId: accountId };
  next(payload);
});

${sentFromPage(contractEnd)}`;

/** The entry `/bundled` has all of its code; the default one loads the rest from RudderStack. */
export const rudderBrowserSnippet = ({ origin, key, contractEnd }: SnippetValues): string =>
  `import { RudderAnalytics } from "@rudderstack/analytics-js/bundled";

${SIGNED_IN}

const analytics = new RudderAnalytics();
analytics.load("${key}", "${origin}", {
  configUrl: "${origin}",
  context: { groupId: accountId },
});

${sentFromPage(contractEnd)}`;

/** What a webhook must deliver for the attributes of an account. */
export const webhookBody = ({ contractEnd }: SnippetValues): string =>
  JSON.stringify(
    {
      type: "group",
      userId: "u1",
      groupId: "acme",
      traits: { plan: "Pro", seats: 20, mrr: 1200, currency: "EUR", stage: "customer", contractEndsAt: contractEnd },
    },
    null,
    2,
  );
