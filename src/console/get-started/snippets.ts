/** What to paste for sending a first event. The tests run each snippet. */

/** The placeholder for the key, which only the page that creates it can show. */
export const KEY_PLACEHOLDER = "YOUR_KEY";

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

export const browserSnippet = ({ origin, key, contractEnd }: SnippetValues): string =>
  `const send = (batch) =>
  fetch("${origin}/v1/batch", {
    method: "POST",
    keepalive: true,
    headers: {
      Authorization: "Bearer ${key}",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ batch }),
  });

const account = {
  type: "group",
  userId: "u1",
  groupId: "acme",
  traits: ${traits(contractEnd)},
};
send([account, { type: "track", userId: "u1", event: "Report Exported" }]);`;

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
